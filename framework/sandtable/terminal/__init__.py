"""People at a table: the console, drafts of orders, sheets, order files."""
