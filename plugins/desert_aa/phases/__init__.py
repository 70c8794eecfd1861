"""The phases of a turn, one file a phase or chapter of the rules."""
