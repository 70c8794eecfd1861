"""The selection of the mission, and the front."""
