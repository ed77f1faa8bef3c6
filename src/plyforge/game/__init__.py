"""Games: loading, rules behind one object, histories, notation and files."""
