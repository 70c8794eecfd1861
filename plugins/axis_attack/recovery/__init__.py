"""The steps after a battle: casualties, mobility, exchange and reinforcement."""
