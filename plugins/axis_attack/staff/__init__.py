"""The commander: a bot that fields all it may, spends points where they win games, and rebuilds what can fight."""
