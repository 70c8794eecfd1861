"""The options of a ruleset: read from its rulings, and set by rulings in play."""
