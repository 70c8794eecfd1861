"""Running the rules again and comparing every record: the first difference, whose doing it may be, battles inside."""
