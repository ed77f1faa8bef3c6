"""Proof search: is the value of a position at least a threshold?"""
