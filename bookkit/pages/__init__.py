"""The pages as text: cells, pairs, rules, claims, figures."""
