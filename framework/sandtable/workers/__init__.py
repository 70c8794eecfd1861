"""Parallel execution of matches and tournaments: ``executors.py`` and ``tasks.py``."""
