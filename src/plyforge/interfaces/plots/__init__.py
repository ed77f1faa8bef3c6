"""Pictures.  Importing the modules in here imports matplotlib."""
