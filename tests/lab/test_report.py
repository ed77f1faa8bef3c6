"""Reports have the same content in every format, and every format can be parsed."""

import csv
import io
import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import Data, Measurement
from plyforge.lab.report import Report, Sample, metric_tables

VOID = {"meta", "img", "br", "hr", "link"}


class StrictParser(HTMLParser):
    """A parser that checks that elements are closed in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.tags = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parse_html(text):
    page = StrictParser()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


def strict_json(text):
    def refuse(constant):
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


def test_markdown_has_source_verdicts_tables_and_the_command(report):
    text = report.markdown(["a.svg", "b.svg"])
    assert text.startswith("# A toy <experiment> | with odd characters\n")
    assert "Source: Nobody & Co., 1999." in text
    assert "| half of it (page 3) | 0.5 | 0.5 (0.5 to 0.5) | reproduced |" in text
    assert "| a third of it | 0.3 | 0.5 (0.5 to 0.5) | refuted |" in text
    assert "| over nothing | 1 | not measured | not measured |" in text
    assert "| half of it (page 3) | count over base | interval contains 0.5, or is within" in text
    assert "Of 3 claims: 1 reproduced, 1 refuted, 1 not measured." in text
    headings = re.findall("^## (.*)", text, re.MULTILINE)
    assert headings == ["Abstract", "Method", "Results", "Threats to validity", "Origin"]
    assert "![Half & half](a.svg)" in text
    command = re.search(r"Repeat it with `plyforge (.*)`", text).group(1)
    assert shlex.split(command) == ["lab", "run", report.experiment.reference, "--seed", "0"]


def test_times_are_shown_as_ratios_to_the_first_configuration(report):
    tables = {table.title: table for table in report.tables}
    assert set(tables) == {"count", "zero", "time, over base"}
    assert tables["time, over base"].rows[0][1] == "1 (1 to 1)"
    means = [cell.partition(" ")[0] for cell in tables["count"].rows[0][1:]]
    assert means == ["115", "215", "315"]


def test_the_html_page_is_well_formed_and_complete(report):
    svg = '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x">\n<svg><title>one</title></svg>'
    page = parse_html(report.html([svg]))
    text = " ".join(page.text)
    assert "A toy <experiment> | with odd characters" in text
    assert "refuted" in text
    assert page.tags.count("svg") == 1
    assert page.tags.count("table") == 3 + len(report.tables)
    assert "<?xml" not in report.html([svg])


def test_raw_figures_can_be_read_back(report):
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    back = [
        Measurement(
            int(row.pop("position")),
            row.pop("configuration"),
            int(row.pop("depth")),
            int(row.pop("repeat")),
            {name: float(value) for name, value in row.items()},
        )
        for row in rows
    ]
    assert back == list(report.measurements)


def test_json_has_only_valid_numbers(report):
    fields = strict_json(json.dumps(report.to_dict()))
    assert fields["experiment"] == "toy"
    assert fields["positions"] == {"1": 4, "2": 4, "3": 4}
    assert [one["verdict"] for one in fields["findings"]] == [
        "reproduced",
        "refuted",
        "not measured",
    ]


@pytest.mark.parametrize("form", ["markdown", "html", "csv", "to_dict"])
def test_a_run_without_measurements_has_a_report(toy, store, form):
    assert getattr(Report(toy, store.run(toy, 0), []), form)()


def test_columns_of_raw_figures_have_different_names(toy, store, complete_run):
    made = [replace(one, values={**one.values, "depth": 7}) for one in complete_run(toy)]
    heading, first, *_ = csv.reader(io.StringIO(Report(toy, store.runs()[0], made).csv()))
    assert len(set(heading)) == len(heading)
    assert first[heading.index("depth")] == "1"
    assert first[heading.index("measured_depth")] == "7"


def test_an_interrupted_run_has_a_report(toy, store, complete_run):
    made = complete_run(toy, positions=4)[:9]
    report = Report(toy, store.runs()[0], made)
    assert parse_html(report.html())
    assert strict_json(json.dumps(report.to_dict()))


def test_a_changed_experiment_reports_only_means(toy_file, store, report):
    def reload_report() -> Report:
        return Report.of(load_experiment(str(toy_file)), report.run, report.measurements)

    assert reload_report().markdown() == report.markdown()
    toy_file.write_text(toy_file.read_text().replace("100 * depth", "200 * depth"))
    later = reload_report()
    assert "has changed since this run" in later.markdown()
    assert later.experiment.title == report.experiment.title
    assert later.findings == later.charts == []
    assert later.data.mean("half", 2, "count") == report.data.mean("half", 2, "count")


@pytest.mark.parametrize(
    ("repeats", "text"),
    [([1, 1], "of single searches"), ([3, 3], "of 3 interleaved"), ([1, 3], "of 1 to 3 inter")],
)
def test_the_report_says_how_many_searches_were_timed(toy, store, complete_run, repeats, text):
    first, second, *_ = complete_run(toy)
    made = [
        replace(one, repeat=repeat)
        for one, times in zip((first, second), repeats, strict=True)
        for repeat in range(times)
    ]
    assert text in Report(toy, store.runs()[0], made).about


def test_rules_are_stored_when_a_run_is_started(toy_file, store, complete_run):
    first = load_experiment(str(toy_file))
    measurements = complete_run(first)
    run = store.runs()[0]
    assert (
        "All rules were stored when the run was started"
        in Report(first, run, measurements).markdown()
    )
    toy_file.write_text(toy_file.read_text().replace("Equals(0.3, 0.1)", "Equals(0.3, 0.3)"))
    later = load_experiment(str(toy_file))
    assert later.digest == first.digest
    text = Report.of(later, run, measurements).markdown()
    assert "stated or changed after that: a third of it." in text


def test_a_second_seed_confirms_or_contradicts(toy, report):
    sample = Sample(replace(report.run, about={**report.run.about, "seed": 5}), report.measurements)
    both = replace(report, others=(sample,))
    assert [one.verdict for one in both.findings] == [one.verdict for one in report.findings]
    assert both.findings_table.headings[3] == "seed 5"
    doubled = [
        replace(
            m,
            values={**m.values, "count": m.values["count"] * (0.6 if m.variation == "half" else 1)},
        )
        for m in report.measurements
    ]
    against = replace(report, others=(replace(sample, measurements=doubled),))
    first, second, _ = against.findings
    assert (first.verdict, first.reason) == ("undecided", "reproduced here, refuted with seed 5")
    assert second.verdict == "undecided"


def test_empty_charts_are_left_out(report):
    assert [chart.name for chart in report.charts] == ["lines", "bars"]


def test_a_misspelt_metric_is_an_error_and_a_missing_one_has_no_table(report):
    with pytest.raises(LookupError, match="unknown metric 'unheard of'; known: count"):
        metric_tables(report.data, [("unheard of", "x")])
    lenient = Data(report.data.measurements, report.data.variations)
    assert metric_tables(lenient, [("unheard of", "x")]) == []
