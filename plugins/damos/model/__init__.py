"""What there is: state, events, orders, handlers, tables, board. Imports nothing else of the game."""
