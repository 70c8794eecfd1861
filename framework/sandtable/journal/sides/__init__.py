"""The part of a game that one side may see, and merging the files of several sides."""
