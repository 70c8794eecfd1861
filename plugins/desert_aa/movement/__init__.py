"""Movement: who stands where, how land units and planes may go, and the space of move orders."""
