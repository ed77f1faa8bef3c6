"""User interfaces: the command line, web pages and notebooks, with their drawings and plots."""
