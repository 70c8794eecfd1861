"""Tables of the decisions of stored games: rows recomputed from the orders, and files of them."""
