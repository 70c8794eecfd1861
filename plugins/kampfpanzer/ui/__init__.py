"""The text that people read and type: notation, narration, pictures, answers."""
