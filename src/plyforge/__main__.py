"""`python -m plyforge`: the command line."""

from plyforge.interfaces.cli import main

if __name__ == "__main__":
    main()
