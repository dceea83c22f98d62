"""The facade of the measures: it offers what its parts define."""

from lecturekit import confusion, metrics, operating, scoring, thresholds

PARTS = (confusion, operating, scoring, thresholds)


def test_facade_offers_what_its_parts_define() -> None:
    names = [name for part in PARTS for name in part.__all__]
    assert sorted(names) == sorted(metrics.__all__)
    assert all(getattr(metrics, name) is getattr(part, name) for part in PARTS for name in part.__all__)


def test_function_and_module_of_one_name_do_not_hide_each_other() -> None:
    assert metrics.confusion([1], [1]).tp == 1
    assert confusion.confusion is metrics.confusion
