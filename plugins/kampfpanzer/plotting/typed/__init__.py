"""What a person may type on a sheet for less than its own notation: several units at once, and where one is to go."""
