"""The replay page: a game in one HTML file, to watch, question and send."""
