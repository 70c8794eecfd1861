"""The battle: the brief that goes to the table, the report that comes back, and the points that it brings (AOA-3.17)."""
