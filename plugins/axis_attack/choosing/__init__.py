"""What players choose from, as spaces: starting forces, game forces, special rules, air support."""
