"""What is sought by play: the bid that evens a scenario (``bidding.py``), better settings of a bot (``tuning.py``)."""
