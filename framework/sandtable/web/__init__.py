"""Play in a browser: a server for games of every ruleset, and the page that it serves."""
