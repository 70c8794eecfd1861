"""The model: state, events, orders, handlers, tables and board. It imports no other package of the game."""
