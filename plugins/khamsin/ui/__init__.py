"""Text for and from people: notation, narration, drawing, reports."""
