"""Commands that make and check replay pages."""
