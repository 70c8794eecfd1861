"""Movement: legality of orders (``paths``, ``orders_sheet``) and their execution (``march``, ``resolution``)."""
