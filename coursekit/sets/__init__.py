"""Problem sets: their source, the rules that it keeps, and the handout without answers."""
