"""The activation of a force, room by room: what may be chosen, marching, entering hexes, exploiting."""
