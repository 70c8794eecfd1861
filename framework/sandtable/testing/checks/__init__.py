"""The checks of the contract suite, one module for each kind; ``sandtable.testing.contract`` runs them."""
