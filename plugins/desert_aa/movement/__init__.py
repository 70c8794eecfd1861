"""Movement: units on the ground, paths by land and air, fuel, supply, and the spaces of move orders."""
