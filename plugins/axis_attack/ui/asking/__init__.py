"""Questions of a campaign that the rules answer."""
