"""A server and a page, for tests that need no browser."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.interfaces.web.pages import FakePage, page, served


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served() as made:
        yield made


@pytest.fixture
def guest(client: TestClient) -> Iterator[FakePage]:
    with page(client) as made:
        yield made
