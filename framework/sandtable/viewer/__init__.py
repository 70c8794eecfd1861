"""Looking at games: maps as SVG and as text, and logs told in sentences."""
