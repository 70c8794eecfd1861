"""Who does the work of matches and tournaments, and how it is parted: ``executors.py`` and ``tasks.py``."""
