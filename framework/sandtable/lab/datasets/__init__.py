"""The decisions of stored games as a table for learners: rows made again from the orders, and files of them."""
