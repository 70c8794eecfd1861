"""The forces that a side chooses: pools, purchases, companies, air support."""
