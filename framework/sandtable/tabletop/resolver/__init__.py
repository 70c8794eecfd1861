"""The resolver: an umpire that computes the result of a battle by odds and dice."""
