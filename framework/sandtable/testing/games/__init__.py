"""Many games as a test of rules: which rules they use, and how they differ under other rules."""
