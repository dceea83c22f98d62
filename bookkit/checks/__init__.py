"""The checks of everything: stages, other machines, what a change touches."""
