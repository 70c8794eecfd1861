"""The checks of the contract suite, a room for each kind; ``sandtable.testing.contract`` runs them."""
