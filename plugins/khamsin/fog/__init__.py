"""Knowledge of each side: views, and deals of hidden information (determinization)."""
