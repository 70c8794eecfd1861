"""Movement: activation, march, reactions and strategic movement."""
