"""The commander: a bot that masses against what it knows of the enemy, takes what is open, and spares the worn."""
