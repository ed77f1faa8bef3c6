"""A server and a page for tests that need no browser."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.interfaces.web.pages import FakePage, open_page, serve


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve() as client:
        yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[FakePage]:
    with open_page(client) as page:
        yield page
