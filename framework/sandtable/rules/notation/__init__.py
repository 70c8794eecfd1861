"""Orders as people type them: one parser for all rulesets, and a table of verbs for each."""
