"""Text that people read and type: notation, narration, drawing, reports."""
