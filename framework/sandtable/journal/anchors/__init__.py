"""Tying a log to the game that was played: anchors, keys and signatures."""
