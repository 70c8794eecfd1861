"""What people read and type: notation, narration, drawing, reports."""
