"""Machines that learn to play: games, agents, exact solutions, and an arena for them."""
