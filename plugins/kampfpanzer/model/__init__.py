"""State, events, orders, handlers, tables and board; this package imports no other package of the game."""
