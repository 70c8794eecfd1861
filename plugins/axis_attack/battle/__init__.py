"""The battle: the brief for the table, the report of its result, and victory points (AOA-3.17)."""
