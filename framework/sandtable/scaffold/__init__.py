"""What ``sandtable new`` writes: whole games to begin with, as templates."""
