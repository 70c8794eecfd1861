"""Commands for disputes: replay a disputed turn, branch it and rule on it."""
