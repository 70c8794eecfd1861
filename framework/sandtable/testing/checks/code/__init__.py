"""Checks of code that bypasses the kernel: clocks and random numbers, unrun procedures, loops that yield nothing."""
