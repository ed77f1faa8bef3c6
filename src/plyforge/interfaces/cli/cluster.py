"""`plyforge cluster`."""

from plyforge.interfaces.cli.output import console, print_json
from plyforge.jobs.cluster.local_nodes import list_nodes, start_nodes, stop_nodes


def start(nodes: int, cpus: int, port: int, as_json: bool) -> None:
    """Start a cluster on this machine, and print how to use it."""
    state = start_nodes(nodes, cpus, port)
    if as_json:
        print_json({"address": state.address, "nodes": nodes, "cpus": cpus, "logs": state.logs})
        return
    out = console()
    each = f"{_count(cpus, 'worker')}{' each' if nodes > 1 else ''}"
    out.print(f"{_count(nodes, 'node')} with {each}; the head node is {state.address}")
    out.print("use it with --executor ray, and end it with 'plyforge cluster down'")
    out.print(f"logs: {state.logs}", markup=False)


def show(as_json: bool) -> None:
    """Print the nodes of the cluster that are alive."""
    state, nodes = list_nodes()
    if as_json:
        rows = [{"id": one.id, "address": one.address, "cpus": one.cpus} for one in nodes]
        print_json({"address": state.address, "started": len(state.pids), "nodes": rows})
        return
    out = console()
    alive = f"{len(nodes)} of {len(state.pids)} nodes are alive"
    out.print(f"{alive}; the head node is {state.address}")
    for node in nodes:
        out.print(f"  {node}: {_count(node.cpus, 'worker')}", markup=False)


def stop(as_json: bool) -> None:
    """End the cluster, and print how many processes it had."""
    ended = stop_nodes()
    if as_json:
        print_json({"processes": ended})
    else:
        console().print(f"{ended} processes ended" if ended else "no cluster was running")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
