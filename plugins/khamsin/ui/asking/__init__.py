"""Questions of a campaign that the rules answer: the campaign as far as a side knows it, and the ways in it."""
