"""Addresses of head nodes, and what answers there."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.cluster.address import (
    CLIENT_PORT,
    Address,
    check_head,
    is_listening,
    is_port_free,
    parse_address,
)
from plyforge.jobs.cluster.local_nodes import LocalNodes


@contextmanager
def server(answer: bytes) -> Iterator[int]:
    """A server that answers every connection with the same bytes; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1024)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ray://10.0.0.1:7000", Address("10.0.0.1", 7000)),
        ("ray://head", Address("head", 6379)),
        ("head.local:1/", Address("head.local", 1)),
        ("ray://[fe80::1]:7000", Address("fe80::1", 7000)),
    ],
)
def test_an_address_has_a_host_and_a_port(text, address):
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "", "ray://", "ray://:6379", "a b", "http://head:6379", "head:0", "head:65536", "head:x",
        "head:6379:1", "ray://ray://head", "head\n", "ä:1", "head:99999999999",
    ],
)  # fmt: skip
def test_nonsense_is_not_an_address(text):
    with pytest.raises(PlyforgeError, match="is not the address of a head node; write ray://HOST"):
        parse_address(text)


def test_a_port_without_a_server_is_no_head_node():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert not is_port_free(port, "127.0.0.1")
        assert is_listening("127.0.0.1", port)
    assert is_port_free(port, "127.0.0.1")
    assert not is_listening("127.0.0.1", port)
    with pytest.raises(PlyforgeError, match=f"no head node at 127.0.0.1:{port} .*ray start --head"):
        check_head(Address("127.0.0.1", port))


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0\0\0\4"])
def test_a_server_that_is_not_ray_is_no_head_node(answer):
    with (
        server(answer) as port,
        pytest.raises(PlyforgeError, match="is not the head node of a Ray"),
    ):
        check_head(Address("127.0.0.1", port))


def test_a_server_that_answers_as_a_head_node_does_is_accepted():
    with server(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])) as port:
        check_head(Address("127.0.0.1", port))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ray://10.0.0.1:6399", True),
        ("ray://localhost:6399", True),
        ("127.0.0.1:6399", True),
        ("ray://[::1]:6399", True),
        ("ray://localhost", False),
        ("ray://10.0.0.2:6399", False),
        (None, False),
    ],
)
def test_a_cluster_of_this_machine_is_also_found_by_its_local_names(text, same):
    cluster = LocalNodes("10.0.0.1:6399", "secret", "mark", (), 1, "logs")
    assert cluster.has_address(text) is same


def test_the_port_of_ray_client_is_explained():
    with pytest.raises(PlyforgeError, match="Ray Client, which is not supported: give the port"):
        check_head(Address("127.0.0.1", CLIENT_PORT))
