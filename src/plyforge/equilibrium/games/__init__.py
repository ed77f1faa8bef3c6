"""Games with hidden information, each in a file of rules that can be copied."""
