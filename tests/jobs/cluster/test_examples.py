"""The cluster files in `examples`."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "cluster"
FILES = sorted(FOLDER.glob("*.yaml"))


def test_there_are_cluster_files():
    assert [file.name for file in FILES] == ["aws.yaml", "machines.yaml"]


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_ray_accepts_the_cluster_files(file):
    pytest.importorskip("jsonschema")
    yaml = pytest.importorskip("yaml")
    util = pytest.importorskip("ray.autoscaler._private.util")
    config = util.prepare_config(yaml.safe_load(file.read_text(encoding="utf-8")))
    util.validate_config(config)
    assert "RAY_AUTH_MODE=token" in config["head_start_ray_commands"][-1]
    assert "RAY_AUTH_MODE=token" in config["worker_start_ray_commands"][-1]
