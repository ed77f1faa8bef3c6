"""Jobs on several machines: a connection to a Ray cluster, and the executor that uses it.

`connection.connect` and `versions` do not know jobs: anything that runs on Ray can use them.
"""
