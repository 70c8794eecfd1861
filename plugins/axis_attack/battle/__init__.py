"""The battle: the brief for the table, the report of the result, and victory points (AOA-3.17, AOA-5.16)."""
