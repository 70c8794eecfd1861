"""Orders as people type them: one reader for all rulesets, and a table of verbs for each."""
