"""Play by people at a terminal: the console, drafts of orders, sheets and order files."""
