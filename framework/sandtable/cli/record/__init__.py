"""Commands for two people who do not trust each other: seals, keys, rulings, files put together."""
