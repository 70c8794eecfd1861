"""The kernel: pure, deterministic code without files, clock, output or plugins, independent of any board or game."""
