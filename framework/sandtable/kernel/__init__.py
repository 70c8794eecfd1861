"""The kernel: pure and deterministic, without files, clock, print or plugins; it knows no board and no game."""
