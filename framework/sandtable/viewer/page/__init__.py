"""The replay page: a game in one file of HTML, to be watched, questioned and sent."""
