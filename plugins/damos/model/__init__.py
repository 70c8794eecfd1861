"""State, events, orders, handlers, tables and board. Imports no other package of the game."""
