"""Commands for authors of rulesets."""
