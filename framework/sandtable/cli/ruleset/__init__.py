"""Commands about a ruleset."""
