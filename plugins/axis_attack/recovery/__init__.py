"""What comes back after a battle: casualties, mobility, exchange, reinforcement."""
