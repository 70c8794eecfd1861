"""Reading and checking scenario files, and the first state that they lead to."""
