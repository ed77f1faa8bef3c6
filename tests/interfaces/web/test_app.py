"""Files are compressed, and sent again only when they have changed."""

import pytest
from starlette.testclient import TestClient

FILES = ("/", "/analyse", "/static/analyse.js", "/static/site.css", "/static/drawing.css")


@pytest.mark.parametrize("path", FILES)
def test_an_unchanged_file_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"if-none-match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(path, headers={"if-none-match": '"other"'}).content == first.content


@pytest.mark.parametrize("path", ["/static/analyse.js", "/api/games"])
def test_text_is_compressed_for_browsers_that_can_read_it(client: TestClient, path: str) -> None:
    plain = client.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.content == plain.content


def test_different_files_have_different_tags(client: TestClient) -> None:
    tags = {client.get(path).headers["etag"] for path in FILES}
    assert len(tags) == len(FILES)
