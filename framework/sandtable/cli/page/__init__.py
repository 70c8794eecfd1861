"""Commands that make replay pages, and the pager in the terminal."""
