"""The league: a toy for three or seven sides, with secret letters, sealed orders, elimination and shared draws."""
