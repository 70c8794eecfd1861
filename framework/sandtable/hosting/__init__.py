"""Hosting games: whoever puts a game on a table, at a terminal or in a browser, opens it and takes it up here."""
