"""Reports of a battle: the printed form, the typed notation, and their parsers."""
