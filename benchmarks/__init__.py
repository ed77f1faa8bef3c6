"""Speed against other programs, measured in one run: `python -m benchmarks`."""
