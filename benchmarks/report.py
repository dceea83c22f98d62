"""What a run found, as JSON and as tables of a page."""

import json
import pathlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.accuracy import Quality

__all__ = ["BEGIN", "END", "Comparison", "Entry", "Report", "assemble", "read", "render", "replace_between"]

BEGIN = "% begin: make bench writes from here"
END = "% end: to here"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One solver on one problem: its least CPU time and the quality of its answer."""

    name: str
    seconds: float
    quality: Quality


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Ours against a peer on one problem.

    Attributes
    ----------
    section, problem : str
        Where it stands in the tables.
    certificate : str
        What the table shows of the quality: ``"KKT"``, or another name for the number called gap.
    rounds : int
        How often each solver ran.
    ours, peer : Entry
        The two solvers.
    equal : bool
        Whether our answer is as good as the peer's.
    aim : float, optional
        The ratio we want to reach.
    """

    section: str
    problem: str
    certificate: str
    rounds: int
    ours: Entry
    peer: Entry
    equal: bool
    aim: float | None

    @property
    def ratio(self) -> float:
        """The peer's time divided by ours: above one, ours is faster."""
        return round(self.peer.seconds / self.ours.seconds, 2)

    @property
    def verdict(self) -> str:
        """Whether the aim is met; a ratio between unequal answers meets none."""
        if not self.equal:
            return "not equal"
        if self.aim is None:
            return "–"
        return f"{'met' if self.ratio >= self.aim else 'not met'} ({self.aim:g})"


@dataclass(frozen=True, kw_only=True)
class Report:
    """All comparisons of a part, and where and when it was run."""

    date: str
    cpu: str
    versions: dict[str, str]
    comparisons: tuple[Comparison, ...]

    def to_json(self) -> str:
        """Write the report, with the ratios and verdicts."""
        whole = asdict(self)
        for record, one in zip(whole["comparisons"], self.comparisons, strict=True):
            record |= {"ratio": one.ratio, "verdict": one.verdict}
        return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read(text: str) -> Report:
    """Read what :meth:`Report.to_json` wrote."""
    whole = json.loads(text)
    comparisons = tuple(_comparison(record) for record in whole.pop("comparisons"))
    return Report(**whole, comparisons=comparisons)


def _comparison(record: dict[str, Any]) -> Comparison:
    """Read one comparison; ratio and verdict follow from the rest."""
    rest = {key: value for key, value in record.items() if key not in ("ratio", "verdict")}
    return Comparison(**rest | {side: _entry(rest[side]) for side in ("ours", "peer")})


def _entry(record: dict[str, Any]) -> Entry:
    """Read one entry."""
    return Entry(**record | {"quality": Quality(**record["quality"])})


# -- tables --------------------------------------------------------------------------------------------------


def render(title: str, report: Report) -> str:
    """Write a part of the page: a heading, the line that says where and when, and a table a section."""
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    rounds = sorted({one.rounds for one in report.comparisons})
    span = f"{rounds[0]} to {rounds[-1]}" if len(rounds) > 1 else f"{rounds[0]}"
    where = f"Measured on {report.date}, {report.cpu}, one thread, {span} rounds; "
    parts = [f"## {title}", f"{where}{versions}."]
    for section in dict.fromkeys(one.section for one in report.comparisons):
        members = [one for one in report.comparisons if one.section == section]
        parts.append(f"### {section}\n\n{_table(members)}")
    return "\n\n".join(parts)


def assemble(parts: Mapping[str, str], folder: pathlib.Path) -> str:
    """Write all parts of the page, from the reports that are stored; a part without one is left out.

    ``parts`` maps the name of a part, which is that of its file, to its heading.
    """
    stored = {title: folder / f"{name}.json" for name, title in parts.items()}
    reports = {title: path.read_text(encoding="utf-8") for title, path in stored.items() if path.exists()}
    return "\n\n".join(render(title, read(text)) for title, text in reports.items())


def _table(comparisons: list[Comparison]) -> str:
    """Write the table of a section."""
    shown = comparisons[0].certificate
    head = ["problem", "ours / peer", "ratio", f"{shown} ours", f"{shown} peer", "aim"]
    rule = ["---", "---", "--:", "--:", "--:", "---"]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *map(_row, comparisons)))


def _row(one: Comparison) -> list[str]:
    """Write the cells of a comparison."""
    names = f"{one.ours.name} / {one.peer.name}"
    certificates = [_certificate(entry.quality, one.certificate) for entry in (one.ours, one.peer)]
    return [one.problem, names, f"{one.ratio:.2f}", *certificates, one.verdict]


def _certificate(quality: Quality, shown: str) -> str:
    """Write the number that says how good an answer is, with a minus sign at which no line is broken."""
    value = quality.kkt if shown == "KKT" else quality.gap
    return "–" if value is None else f"{value:.1e}".replace("e+00", "").replace("e-0", "e-").replace("-", "−")


def replace_between(page: str, tables: str, begin: str = BEGIN, end: str = END) -> str:
    r"""Put the tables between the two marker lines of a page and leave all other text as it is.

    Examples
    --------
    >>> page = f"above\n{BEGIN}\nold\n{END}\nbelow\n"
    >>> replace_between(page, "new") == f"above\n{BEGIN}\n\nnew\n\n{END}\nbelow\n"
    True
    """
    if page.count(f"{begin}\n") != 1 or page.count(f"\n{end}") != 1:
        raise ValueError(f"the page must contain the lines {begin!r} and {end!r} once each")
    above, rest = page.split(f"{begin}\n")
    below = rest.split(f"{end}", maxsplit=1)[1]
    return f"{above}{begin}\n\n{tables}\n\n{end}{below}"
