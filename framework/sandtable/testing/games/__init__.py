"""Many games as a test of rules: which rules they touch, what other rules would have made of them."""
