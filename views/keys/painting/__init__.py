"""Stateless painters of keys, links and labels over a laid-out forest, with level of detail."""
