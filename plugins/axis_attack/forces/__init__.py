"""The forces that a side picks: pools, purchases, companies, air."""
