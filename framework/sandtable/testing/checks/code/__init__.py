"""What the code of rules does behind the kernel: clock and chance, procedures never run, loops that yield nothing."""
