"""The file of a log: read, written so that nothing acknowledged is lost, its key and openings kept beside it."""
