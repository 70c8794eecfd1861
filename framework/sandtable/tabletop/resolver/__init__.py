"""The resolver: an umpire that finds the result of a battle by odds and dice."""
