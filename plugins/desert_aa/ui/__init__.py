"""The user interface: drawing, narration, notation and answers to questions."""
