"""The umpire of a table: rulings, inquiries, disputes, and the seats that change hands."""
