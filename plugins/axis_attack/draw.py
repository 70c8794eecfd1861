def draw(view, board, style): return None
