"""How people and programs reach Plyforge: the command line, and later the web and protocols."""
