"""Reading and checking scenario files, and the opening state that results from them."""
