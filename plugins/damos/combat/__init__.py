"""Combat (DM-8). ``procedure.py`` has the order of its steps, the other modules have the steps."""
