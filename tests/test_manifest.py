"""The page of all steps is fresh, and rooms do not take each other's names."""

from collections import defaultdict

import pytest
from tools.manifest import PLACE, Made, runs, written

from ppdt_db.cli.show import titles_of

# One contract with several makers: a method's classes, what a guard judges, a tree's units, ...
LEARNERS = {"learn/trees", "learn/generalized", "learn/set_id3", "learn/kadet", "lib/engine"}
FORMS = {
    "ppdt_asked": LEARNERS,
    "ppdt_axis_<i>": LEARNERS,
    "ppdt_branch": LEARNERS,
    "ppdt_centre_<i>": {"label", "methods/specialize"},
    "ppdt_choice": LEARNERS,
    "ppdt_class_count": LEARNERS,
    "ppdt_coarse": {"methods/microaggregate", "methods/mict"},
    "ppdt_code_<i>": {"encode", "encode/hierarchy", *LEARNERS},
    "ppdt_cut_score": LEARNERS,
    "ppdt_descended": LEARNERS,
    "ppdt_distinct": {"guard", "methods/mondrian"},
    "ppdt_extent": {"label", "methods/specialize", "methods/tiers"},
    "ppdt_fit": {"audit", "kk_proof"},
    "ppdt_growing": LEARNERS,
    "ppdt_known_person": {"learn/kadet", "learn/verify"},
    "ppdt_label": {"label", "apply", "methods/kactus"},
    "ppdt_leaf": {"methods/tree_partition", "apply"},
    "ppdt_bucket_<i>": {"methods/datafly", "methods/specialize"},
    "ppdt_part": {"label", "methods/tiers"},
    "ppdt_point": {"methods/microaggregate", "methods/tiers"},
    "ppdt_prediction": {"learn/bayes", "learn/knn", "learn/predict", "lib/engine"},
    "ppdt_reading": {"learn/features", "learn/predict"},
    "ppdt_running": LEARNERS,
    "ppdt_tally": {"methods/microaggregate", "methods/tiers"},
    "ppdt_unit": {*LEARNERS, "methods/tree_partition"},
}  # fmt: skip


@pytest.fixture(scope="module")
def ran() -> dict[str, list[Made]]:
    return runs()


@pytest.mark.slow
def test_the_manifest_is_fresh(ran: dict[str, list[Made]]) -> None:
    text = PLACE.read_text("utf-8")
    assert written(ran) == text, "run `python -m tests.tools.manifest`"


@pytest.mark.slow
def test_a_step_is_found_by_the_page(ran: dict[str, list[Made]]) -> None:
    """`ppdt show` runs only what the page lists for a step."""
    for title, made_by in ran.items():
        for made in made_by:
            assert title.casefold() in titles_of(made.step), made.step


@pytest.mark.slow
def test_no_two_rooms_make_a_relation_of_one_name(ran: dict[str, list[Made]]) -> None:
    rooms: dict[str, set[str]] = defaultdict(set)
    for made_by in ran.values():
        for made in made_by:
            if made.relation:
                rooms[made.relation].add(made.step.rpartition("/")[0])
    # Every method leaves members behind, and tells the guard which groups to judge.
    for relation in ("ppdt_member", "ppdt_group", "ppdt_group_protected"):
        del rooms[relation]
    for relation, of_it in rooms.items():
        assert len(of_it) == 1 or of_it <= FORMS.get(relation, set()), f"{relation}: {of_it}"
