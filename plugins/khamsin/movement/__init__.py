"""Movement: orders are judged (``paths``, ``sheet``), and carried out together (``march``, ``resolve``)."""
