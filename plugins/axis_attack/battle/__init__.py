"""The battle: the brief that goes to the table, the report that comes back, and its points (AOA-3.17)."""
