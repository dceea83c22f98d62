"""The publishing workflow runs the two commands of the README, and may do no more than it must."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from bookkit import ROOT

TEXT = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
ACTION = re.compile(r"actions/[a-z-]+@v\d+")
COMMANDS = ["make test", "make book"]
MAY = {"build": None, "deploy": {"pages": "write", "id-token": "write"}}


def load(text: str) -> Any:
    """Read a workflow; YAML 1.1 takes its key ``on`` for a truth value."""
    document = yaml.safe_load(text)
    document["on"] = document.pop(True)
    return document


def faults(document: Any) -> list[str]:
    """Say what is wrong with the workflow."""
    jobs = document["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    build = jobs["build"]["steps"]
    commands = [step["run"].strip() for step in build if "make" in step.get("run", "")]
    parts = [*steps, *jobs.values()]
    uploads = [step for step in build if step.get("uses", "").startswith("actions/upload-pages-artifact@")]
    checks = {
        "the commands": commands == COMMANDS,
        "actions by others, or not by major version": all(
            ACTION.fullmatch(step["uses"]) for step in steps if "uses" in step
        ),
        "permissions of the workflow": document.get("permissions") == {"contents": "read"},
        "permissions of a job": {name: job.get("permissions") for name, job in jobs.items()} == MAY,
        "two at a time": document.get("concurrency") == {"group": "pages", "cancel-in-progress": False},
        "the site is uploaded last": build[-1:] == uploads and uploads[0]["with"] == {"path": "_build/html"},
        "published without the checks": jobs["deploy"].get("needs") == "build",
        "a step that may fail": not any({"continue-on-error", "if"} & part.keys() for part in parts),
        "who starts it": document["on"] == {"push": {"branches": ["main"]}, "workflow_dispatch": None},
        "the environment": jobs["deploy"]["environment"]["name"] == "github-pages",
    }
    return [name for name, good in checks.items() if not good]


def test_the_workflow_is_right_has_the_commands_of_the_readme_and_names_no_host() -> None:
    assert faults(load(TEXT)) == []
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Two commands")[2].partition("```bash")[2].partition("```")[0]
    assert sorted(re.findall(r"^make \w+", section, re.M)) == sorted(COMMANDS)
    assert not re.search(r"https?://|\b[\w-]+\.(com|io|net|org|dev)\b", TEXT)


BREAKS: dict[str, Callable[[Any], Any]] = {
    "the commands": lambda d: d["jobs"]["build"]["steps"].pop(-3),
    "actions by others, or not by major version": lambda d: d["jobs"]["build"]["steps"][0].update(
        uses="actions/checkout@main"
    ),
    "permissions of the workflow": lambda d: d.update(permissions="write-all"),
    "permissions of a job": lambda d: d["jobs"]["build"].update(permissions={"contents": "write"}),
    "two at a time": lambda d: d.pop("concurrency"),
    "the site is uploaded last": lambda d: d["jobs"]["build"]["steps"][-1]["with"].update(path="book"),
    "published without the checks": lambda d: d["jobs"]["deploy"].pop("needs"),
    "a step that may fail": lambda d: d["jobs"]["build"]["steps"][-3].update({"continue-on-error": True}),
    "who starts it": lambda d: d["on"].update(pull_request_target=None),
    "the environment": lambda d: d["jobs"]["deploy"]["environment"].update(name="test"),
}


@pytest.mark.parametrize("fault", BREAKS)
def test_each_fault_is_caught(fault: str) -> None:
    document = copy.deepcopy(load(TEXT))
    BREAKS[fault](document)
    assert faults(document) == [fault]
