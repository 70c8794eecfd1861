"""What one side may see of a game, and putting the files of several sides together."""
