"""Sample names for the templates: one ordered attribute with special values, one categorical."""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.apply.assign import ExtentColumn
from ppdt_db.audit.linkage import LinkedColumn
from ppdt_db.audit.loss import Share
from ppdt_db.audit.paths import WalkedColumn
from ppdt_db.audit.released import ReleasedColumn
from ppdt_db.encode.columns import (
    CarriedColumn,
    EncodedColumn,
    ProtectedKey,
    SensitiveHierarchy,
    Word,
)
from ppdt_db.encode.hierarchy import ComputedLevel
from ppdt_db.learn.feature_types import Feature, Trait
from ppdt_db.methods.algorithms.distance import DistanceColumn
from ppdt_db.methods.guard import Guard
from ppdt_db.methods.labels import label_columns
from ppdt_db.policy.hierarchy_specs import DATE_UNITS
from ppdt_db.release.arrange import OutputColumn
from ppdt_db.source.csv.column_types import KINDS, SET, CsvColumn
from ppdt_db.source.csv.written import Written
from ppdt_db.sqltext.exact import Exact
from ppdt_db.sqltext.quoting import Sql, ident
from ppdt_db.sqltext.templates import Statement, render
from ppdt_db.tree.tree import Tested


def coded(position: int, **fields: object) -> EncodedColumn:
    """An attribute with codes, as encoding leaves it."""
    given: dict = {
        "position": position, "name": f"attribute {position}", "type_name": "DOUBLE",
        "family": "float", "dictionary": f"ppdt_code_{position}",
        "dictionary_alias": f"code_{position}", "recode": "range", "n_codes": 9, "bits": 4,
        "n_special": 2, "has_null": True, "magnitude": 8.0, "shift": 4 * position, **fields,
    }  # fmt: skip
    return EncodedColumn(**given)


ORDERED = coded(0)
CATEGORICAL = coded(1, type_name="VARCHAR", family="text", recode="set", n_special=0, magnitude=0.0)
ATTRIBUTES = [ORDERED, CATEGORICAL]
WORDS = [Word(name="word_0", type=Sql("BIGINT"), attributes=ATTRIBUTES)]
OTHERS = [CarriedColumn(name="c0", form="column", column="kept")]
RELEASE = Sql("some_release")
ON_AXES = ("learn/generalized/axis", "learn/generalized/threshold", "learn/generalized/span")
INSTANT = "TIMESTAMP WITH TIME ZONE"
FEATURES = [
    Feature(
        position=position, form=form, column=name, type_name=held, low=f"{name}_lo",
        trait=Trait(name=name, kind=kind, type_name=type_name, origin="".join(origin)),
        high=f"{name}_hi", has_null="none",
    )
    for position, (name, kind, type_name, form, held, *origin) in enumerate([
        ("one", "ordered", "DOUBLE", "value", "DOUBLE"),
        ("two", "nominal", "VARCHAR", "set", "VARCHAR"),
        ("three", "ordered", "TIME", "range", "VARCHAR"),
        ("four", "ordered", "DATE", "range", "VARCHAR"),
        ("five", "ordered", INSTANT, "bounds", INSTANT),
        ("six", "ordered", "DATE", "value", "DATE"),
        ("seven", "ordered", "TIME", "value", "TIME"),
        ("eight", "nominal", "DOUBLE", "set", "DOUBLE"),
        ("nine", "nominal", "VARCHAR", "value", "VARCHAR"),
        ("ten", "nominal", INSTANT, "set", INSTANT),
        ("ten", "ordered", INSTANT, "value", INSTANT),
        ("eleven", "ordered", "UHUGEINT", "value", "UHUGEINT", "10.5"),
        ("twelve", "ordered", "DECIMAL(38,2)", "range", "VARCHAR", "-10.5"),
        ("thirteen", "ordered", "TIMESTAMP_NS", "bounds", "TIMESTAMP_NS", "0.1"),
        ("fourteen", "ordered", "DOUBLE", "value", "DOUBLE", "0.1"),
    ])
]  # fmt: skip


AXES = [
    DistanceColumn(position=0, is_number=True, has_null=True, stretch=0.5, span=8.0, unit=2.0),
    DistanceColumn(position=1, is_number=False, has_null=True, penalty=1.0, unit=2.0),
]


WALKED = [
    WalkedColumn(
        number=number,
        tested=Tested(name=name, type_name=type_name),
        released=ReleasedColumn(name=name, type_name=shown, group=f"g{number}"),
    )
    for number, (name, type_name, shown) in enumerate(
        [("one", "INTEGER", "DOUBLE"), ("two", "VARCHAR", "VARCHAR"), ("three", "DATE", "DATE")]
    )
]


LEVELS = [
    {
        "attribute": coded(2, type_name="VARCHAR", family="text"), "base": CATEGORICAL,
        "hierarchy": "ppdt_value_words_1", "word": "word_0",
    },
]  # fmt: skip


def names_of(step: str) -> dict[str, object]:
    """Every name that a template of a room may ask for."""
    room = step.rpartition("/")[0]
    labels = label_columns(ATTRIBUTES)
    names: dict[str, object] = {
        "attributes": ATTRIBUTES, "attribute": ORDERED, "words": WORDS, "carried": WORDS,
        "others": OTHERS, "listed": [ORDERED],
        "dictionaries": ATTRIBUTES, "dictionary": "ppdt_code_0",
        "protected_keys": [ProtectedKey(kind=0, name="entity", is_entity=True)], "target": ORDERED,
        "unit": "cell_id", "grain": "cell", "only_median": False, "either_side": False,
        "foresight": True,
        "attribute_bits": 2, "code_bits": 4,
        "source": Sql('"some_source"'), "relation": RELEASE, "value": "ppdt_value",
        "has_order": True, "has_original": True, "is_live": False, "rows": 10,
        "columns": ["one", "two"],
        "column": "one", "release": RELEASE, "original": Sql("some_original"),
        "is_ordered": True, "is_text": True, "has_special": True, "labels": labels,
        "quasi": [{"name": "one", "is_text": True, "by_text": False}],
        "sensitive": {"name": "s", "is_text": True},
        "known": ["one", "two"], "goal": "three", "scale": 3, "masks": [1, 2],
        "entity": "person", "lo_column": "one_lo", "hi_column": "one_hi",
    }  # fmt: skip
    if room == "recode":
        names |= {
            "columns": [
                OutputColumn(table="shown", inside="q0", released="attribute 0"),
                OutputColumn(table="sorted", inside="c0", released="kept"),
            ],
            "sensitive": ["c0"], "k": 5, "l": 2, "entity": None, "snapshot": ("ppdt", "snapshot_1"),
            "row_view": ("ppdt", "live_1_row"), "member": ("ppdt", "live_1_member"),
            "label": ("ppdt", "live_1_label"),
        }  # fmt: skip
    if room == "source":
        names |= of_csv(step)
    if room in ("lib/catalog", "tools/report"):
        names |= {"schema": ("clinic", "ppdt")}
    if room == "tools/plan":
        names |= {
            "columns": {"one": "VARCHAR"}, "quasi": {"one": "VARCHAR"}, "is_exact": False,
            "n_looked_at": 5,
        }  # fmt: skip
    if room == "learn/trees":
        names |= {
            "spans": [], "is_binary": False, "is_narrow": False, "ordered": [ORDERED],
        }  # fmt: skip
    if room == "methods/node_risk":
        names |= {"kind": 0, "has_entity": True}
    if room == "methods/kactus":
        names["is_greedy"] = False
    if room == "methods/specialize":
        names |= {
            "is_value": False, "child": "ppdt_child_0", "live": ATTRIBUTES, "hidden": [1],
            "bucket": "ppdt_bucket_0", "table": "ppdt_touched",
        }  # fmt: skip
    if room in ("learn/trees", "tools/evaluate", "learn/set_id3", "learn/generalized"):
        target = [CarriedColumn(name="target", form="code", column="y", alias="code_1")]
        names |= {
            "others": target, "criterion": "ratio", "has_branch": False, "has_fractions": True,
            "class_bits": 2, "key_type": Sql("BIGINT"), "has_weight": False, "weight": "w",
            "fractional": [ORDERED], "type_name": Sql("DOUBLE"), "prediction": "predicted",
            "target": "two",
            "repeats": [0, 1], "repeat": 0, "n_folds": 2, "stratified": False, "number": "number",
            "map": "ppdt_map_0", "maps": {"one": "ppdt_map_0"},
            "pairs": {"one": "One", "two": "two"},
        }  # fmt: skip
        if room == "learn/set_id3" or step == "learn/trees/class":
            names |= {
                "target": CATEGORICAL, "is_list": True, "conversion": "random",
                "scoring": "fractional", "n_features": 2, "feature": FEATURES[1],
            }  # fmt: skip
    if room == "learn/generalized":
        spans = [replace(ORDERED, spread="span", value_bits=4, bits=9)]
        sets = [replace(CATEGORICAL, spread="set", value_bits=4, bits=9)]
        names |= {"attributes": [*spans, *sets], "attribute": spans[0], "feature": FEATURES[0]}
        names |= {"spans": spans, "sets": sets}
        if step in (
            "learn/generalized/name",
            "learn/generalized/tested",
            "learn/generalized/held",
            "learn/generalized/code",
            "learn/generalized/form_member",
        ):
            names |= {"attribute": sets[0], "feature": FEATURES[1]}
    if room in ("learn/kadet", "learn/verify"):
        names |= {
            "public": ATTRIBUTES, "private": [ORDERED], "ordered": [ORDERED], "has_entropy": True,
            "is_class_public": False, "is_shared_out": True, "is_apart": False, "has_branch": True,
            "criterion": "ratio", "levels": LEVELS,
        }  # fmt: skip
    if room in ("learn/trees", "learn/generalized"):
        names |= {"form_type": Sql("BIGINT"), "is_walk": False}
    if room in ("learn/bayes", "learn/knn", "learn/predict"):
        names |= {
            "features": FEATURES[:2], "feature": FEATURES[step == "learn/bayes/of_nominal"],
            "points": [(-0.5, 1.0), (0.5, 1.0)], "answer": "target", "known": "known_rows",
            "priors": [{"place": 1, "log": -7}, {"place": 2, "log": -9}], "sets": [1], "k": 5,
            "table": "known_rows", "missing_sign": -1, "prediction": "predicted",
        }  # fmt: skip
        if step in ("learn/bayes/moment", "learn/knn/scale"):
            names["features"] = FEATURES[:1]
        if step == "learn/bayes/member" or step in (
            "learn/knn/form",
            "learn/knn/widest",
            "learn/knn/mismatch",
        ):
            names |= {"features": FEATURES[1:2], "feature": FEATURES[1]}
    if room == "learn/features":
        kind = int(step == "learn/features/nominal")
        names |= {"features": FEATURES[:2], "feature": FEATURES[kind], "is_exact": False}
        if step == "learn/features/parsed":
            names["features"] = FEATURES[2:3] * 2
    if room == "methods/tiers":
        names["axes"] = AXES
    if room == "kk_proof":
        names |= of_witness()
    if room in ("methods/microaggregate", "methods/mict"):
        place = "ppdt_member" if "class" in step else "ppdt_coarse"
        names |= {"axes": AXES, "place": place, "reference": "ppdt_centre", "again": True}
    if room == "methods/univariate":
        names |= {"axis": AXES[0], "axes": AXES[:1], "below": "ppdt_path_0"}
    if room == "apply":
        reaches = [
            ExtentColumn(attribute=ORDERED),
            ExtentColumn(attribute=CATEGORICAL, by_code=True),
        ]
        names |= {
            "reaches": reaches, "reach": reaches[step == "apply/meets"], "ranged": [ORDERED],
            "by_range": True, "pairs": {"one": "One", "two": "two"},
            "kept": "ppdt_label" if step == "apply/shown" else "kept",
        }  # fmt: skip
    if step in ("label/set", "label/mode", "label/bins"):
        names["attribute"] = CATEGORICAL
    if step == "label/end":
        names["label"] = labels[0]
    if step in ("encode/fingerprint", "encode/sketch"):
        nested = f"{INSTANT}[]"
        names["columns"] = {"one": "VARCHAR", "two": INSTANT, "three": "BIGINT", "four": nested}
    if step == "learn/kadet/classed":
        names["class_column"] = "target"
    if step == "tools/evaluate/shuffled":
        names["columns"] = {"one": "VARCHAR", "two": INSTANT, "target": "VARCHAR"}
    if step == "encode/drawn":
        names["types"] = {"c0": "VARCHAR"}
    if room == "audit":
        names |= of_audit(step)
        if step.startswith("audit/path_"):
            names["columns"] = WALKED
    if step in ("tools/bench/numbered", "tools/bench/in_sets"):
        names |= {"number": "number", "columns": {"one": True, "two": False}}
        names |= {"recoded": "recoded"}
    if room == "tools/bench" and ("class" in step or step.endswith(("linked", "nearest"))):
        names |= {"number": "number", "target": "two"}
        if step.endswith("nearest_class"):
            names["columns"] = {"one": True, "two": False}
    if room == "utility":
        names |= {"before": "one", "high": "one_hi", "has_null": "", "has_special": ""}
    if room in ("utility", "tools/report"):
        names |= {**of_axis(WHOLE_NUMBERS), "type_name": "BIGINT", "is_list": True}
    if room == "tools/report":
        names |= {"high": "", "is_set": True}
    if room == "tools/profile":
        column = {"name": "one", "is_text": True}
        names |= {"column": column, "columns": [column, {"name": "two", "is_text": False}]}
    if room == "methods/node_risk":
        names |= {"type_name": Sql("DOUBLE"), "held_type": Sql("DOUBLE")}
    if room == "methods/tree_partition":
        names |= {"type_name": Sql("DOUBLE"), "tested_type": Sql("DOUBLE")}
    if step == "methods/mondrian/node_above":
        names["attributes"] = [replace(one, has_hierarchy=True) for one in ATTRIBUTES]
    if room == "encode/bins":
        names |= {
            "entity": None, "goal": CATEGORICAL, "type_name": Sql("DOUBLE"),
            "binned": {"one": ORDERED},
        }  # fmt: skip
    if room == "encode/hierarchy":
        names |= {
            "levels": ["word_0", "word_1"], "leaf": "leaf", "hierarchy": Sql("some_hierarchy"),
            "types": {"leaf": "VARCHAR", "word_0": "VARCHAR", "word_1": INSTANT},
            "path": "ppdt_path", "node": "ppdt_node_0", "type_name": Sql("DOUBLE"),
            "form": "interval",
            "steps": (
                [4] if step == "encode/hierarchy/quantile"
                else [ComputedLevel(width=5.0, start=1.0)]
            ),
        }  # fmt: skip
    if room in ("guard", "methods/mondrian"):
        guard = Guard(
            k=5, l=2, entropy=1.5, recursive=(3.0, 2), t=0.2, alpha=0.8, beta=2.0,
            enhanced_beta=2.0, delta=1.0,
        )  # fmt: skip
        names |= {"guard": guard, "ordered_kinds": [1, 2], "n_top": 2}
        names |= {"far_kinds": [1, 2], "tree_kinds": [3]}
    if step == "guard/protected_level":
        hierarchy = SensitiveHierarchy(relation="ppdt_value_words_0", levels=["leaf", "word_0"])
        names["protected_keys"] = [
            ProtectedKey(
                kind=1, name="s1", is_entity=False, hierarchy=hierarchy, dictionary="ppdt_extra_0"
            )
        ]
    return names


def of_audit(step: str) -> dict[str, object]:
    """What the audit's templates ask for."""
    quasi = [ReleasedColumn(name=f"one {i}", type_name="VARCHAR", group=f"g{i}") for i in (0, 1)]
    sensitive = [ReleasedColumn(name=f"s {i}", type_name="DOUBLE", group=f"s{i}") for i in (0, 1)]
    hows: list[str] = ["range", "set", "bounds", "same"]
    parts = [
        LinkedColumn(
            how=how, place=i, column=f"one {i}", is_text=True, as_text=i % 2 == 0, group=f"g{i}",
            high="h", has_null="n", has_nonfinite="f", type_name="BIGINT",
            axis=Exact(kind="number", type_name=Sql("DECIMAL(18, 0)")) if how == "range" else None,
        )  # type: ignore[arg-type]
        for i, how in enumerate(hows[:2] if step == "audit/person" else hows)
    ]  # fmt: skip
    shares = [
        Share(
            name=f"one {i}", place=i, relation=f"ppdt_share_{i}", domain=f"ppdt_domain_{i}",
            group=f"g{i}", high_group="g2" if i else "",
        )
        for i in (0, 1)
    ]  # fmt: skip
    given = {"columns": [vars(share) for share in shares]} if step == "audit/suppressed" else {}
    return {
        "subject": "ppdt_subject", "background": "ppdt_background", "shares": shares,
        "domain": "ppdt_domain_0", **given,
        "before": quasi if step == "audit/subject_before" else "one",
        "quasi": quasi, "parts": parts, "part": parts[0], "leads": parts[:2],
        "levels": ["leaf", "level1"], "root": "root",
        "sensitive": sensitive if step == "audit/class_row" else sensitive[0],
        "others": sensitive[1:], "n_top": 2, "classes": "ppdt_model_0", "measure": "alpha",
        "is_least": False, "people": RELEASE, "hierarchy": Sql("some_hierarchy"),
        "label": {"name": "q0"}, "node": "ppdt_node_0", "type_name": "DOUBLE",
        "sets": [quasi, quasi[:1]], **of_axis(WHOLE_NUMBERS),
    }  # fmt: skip


WHOLE_NUMBERS = Exact(kind="number", type_name=Sql("DECIMAL(18, 0)"))
ON_AXIS = (
    "audit/share_range", "audit/share_bounds", "audit/domain", "utility/label_piece",
    "utility/axis_value", "tools/report/label", "tools/report/bin_before",
)  # fmt: skip


def of_axis(axis: Exact | None) -> dict[str, object]:
    """What templates ask for that read text on an axis."""
    return {
        "axis": axis, "number_type": axis.type_name if axis else Sql("DOUBLE"),
        "has_infinite": axis is not None and axis.is_float, "before_type": "BIGINT",
    }  # fmt: skip


def of_csv(step: str) -> dict[str, object]:
    """What is asked of columns of text, and of how a release is written."""
    read = [
        CsvColumn(name=f"one {i}", position=i, kinds=kinds, type_name=kind)
        for i, (kinds, kind) in enumerate([((*KINDS, SET), "BIGINT[]"), ((), "DECIMAL(4,2)")])
    ]
    types = ["BIGINT[]", "DOUBLE[]", "DATE[]", INSTANT, "VARCHAR", "HUGEINT"]
    written = [
        Written(table="shown", inside=f"q{i}", released=f"one {i}", type_name=kind, position=i)
        for i, kind in enumerate(types)
    ]
    columns: Sequence[object] = written if step == "source/written" else read
    return {
        "source": RELEASE, "columns": columns, "is_part": True, "kinds": KINDS,
        "texts": written[-2:-1], "wide": written[-1:],
    }  # fmt: skip


def of_witness() -> dict[str, object]:
    """What the proof of (k,k)-anonymity asks for: two labels, two quasi-identifiers."""
    parts = [
        LinkedColumn(
            how="range",
            place=0,
            column="one",
            is_text=False,
            as_text=False,
            group="g0",
            axis=WHOLE_NUMBERS,
            type_name="BIGINT",
        ),
        LinkedColumn(how="set", place=1, column="two", is_text=True, as_text=True, group="g1"),
    ]
    labels = [
        {
            "name": f"q{i}",
            "group": f"g{i}",
            "released": f"one {i}",
        }
        for i in (0, 1)
    ]
    return {"parts": parts, "labels": labels, "pairs": list(zip(ATTRIBUTES, parts, strict=True))}


def sample(step: str, **other: object) -> Statement:
    """A step, rendered with the sample names."""
    return render(step, {**names_of(step), **other})


def variants(step: str) -> list[Statement]:
    """A step in all of its forms."""
    long_set = replace(CATEGORICAL, n_codes=400, bits=9)
    two_words = [
        Word(name=f"word_{a.position}", type=Sql("HUGEINT"), attributes=[replace(a, shift=0)])
        for a in ATTRIBUTES
    ]
    centred = [replace(ORDERED, recode="mean"), replace(CATEGORICAL, recode="mode")]
    noded = [replace(ORDERED, recode="node", has_hierarchy=True), CATEGORICAL]
    bounded = [replace(ORDERED, recode="bounds", n_special=3), CATEGORICAL]
    families = [
        coded(0, type_name=type_name, family=family, n_special=1)
        for type_name, family in (
            ("INTEGER", "integer"), ("HUGEINT", "huge"), ("DECIMAL(9,2)", "decimal"),
            ("DATE", "date"), ("TIMESTAMP", "timestamp"), ("TIME", "time"),
            ("TIMESTAMP WITH TIME ZONE", "timestamptz"),
        )
    ]  # fmt: skip
    changes: list[dict[str, object]] = [
        {}, {"unit": "row_id", "grain": "row"}, {"protected_keys": []}, {"only_median": True},
        {"either_side": True}, {"foresight": False},
        {"has_order": False}, {"is_live": True}, {"words": two_words}, {"others": []},
        {"attributes": [ORDERED, long_set], "attribute": long_set}, {"attributes": centred},
        {"attributes": bounded}, {"attributes": noded, "attribute": noded[0]},
        {"is_ordered": False, "is_text": False, "has_special": False},
        *({"attribute": one, "attributes": [one, CATEGORICAL]} for one in families),
    ]  # fmt: skip
    if step.startswith("tools/plan/"):
        changes += [{"is_exact": True}, {"n_looked_at": None}]
    if step.startswith(("learn/trees/", "tools/evaluate/", "learn/set_id3/")):
        changes += [
            {"has_branch": True, "has_fractions": False}, {"criterion": "gain"},
            {"has_fractions": False}, {"has_weight": True}, {"stratified": True},
            {"is_binary": True}, {"is_binary": True, "has_branch": True}, {"is_narrow": True},
            {"spans": [ORDERED]},
            {"scoring": "own_value"}, {"scoring": "each_member"}, {"conversion": "most_frequent"},
            {"conversion": "original_distribution", "is_list": False},
        ]  # fmt: skip
    if step.startswith("methods/mondrian/"):
        changes += [{"carried": []}, {"words": two_words, "carried": two_words}]
    if step.startswith(("learn/kadet/", "learn/verify/")):
        changes = [
            {}, {"has_entropy": False}, {"is_apart": True}, {"is_class_public": True},
            {"is_shared_out": False},
            {"criterion": "gain"}, {"ordered": []}, {"words": two_words},
            *({"ordered": [one], "private": [one], "public": [one]} for one in families),
        ]  # fmt: skip
        changes += [{"public": []}] if step.startswith("learn/verify/") else []
    if step == "methods/kactus/drawn_row":
        changes.append({"is_greedy": True})
    if step.startswith("methods/specialize/"):
        changes.append({"is_value": True})
    if step.startswith("encode/bins/"):
        changes.append({"entity": CATEGORICAL})
    if step.startswith("learn/features/"):
        of_kinds = {"nominal": "nominal", "ordered": "ordered", "reach": "ordered"}
        kind = of_kinds.get(step.removeprefix("learn/features/"))
        fitting = [f for f in FEATURES if kind in (None, f.kind)]
        changes = [{}, {"others": []}, {"features": FEATURES}, *({"feature": f} for f in fitting)]
        changes += [{"features": FEATURES, "is_exact": True}]
    if step.startswith("learn/generalized/"):
        ordered = [f for f in FEATURES if f.kind == "ordered"]
        changes = [{}, *({"feature": f} for f in ordered if step in ON_AXES)]
        changes += [{"is_walk": True}, {"sets": []}]
        changes += (
            [{"spans": []}]
            if step not in ("learn/generalized/event", "learn/generalized/side_weight")
            else []
        )
        changes += [{"criterion": "gain"}]
    if step.startswith(("learn/bayes/", "learn/knn/", "learn/predict/")):
        changes = [{}, {"answer": "truth"}, {"sets": []}]
    if step.startswith(("methods/microaggregate/", "methods/mict/")):
        plain = [replace(axis, has_null=False) for axis in AXES]
        changes = [{}, {"again": False}, {"reference": "ppdt_seed"}, {"axes": plain}]
        changes += [{"axes": AXES[:1]}, {"axes": AXES[1:]}]
    if step in ("apply/fitting_class", "apply/meets"):
        by_code = [ExtentColumn(attribute=a, by_code=True) for a in ATTRIBUTES]
        of_set = ExtentColumn(attribute=replace(ORDERED, recode="set"))
        changes = [{}, {"reaches": []}, {"reaches": by_code, "by_range": False}]
        changes += [{"reach": of_set}] if step == "apply/meets" else []
    if step in ("methods/mondrian/node", "methods/mondrian/loss"):
        changes += [{"attributes": [replace(ORDERED, n_codes=2**17 + 1), CATEGORICAL]}]
    if step in ("methods/mondrian/node_above", "guard/protected_level"):
        changes = [{}]
    if step.startswith("source/"):
        changes = [{}, {"is_part": False}]
    if step == "encode/hierarchy/computed":
        texts = [(CATEGORICAL, "expression", ComputedLevel(expression=Sql('upper(base."value")')))]
        texts += [(CATEGORICAL, "prefix", ComputedLevel(length=3))]
        times = [
            (one, "date", ComputedLevel(unit=unit)) for one in families[3:] for unit in DATE_UNITS
        ]
        steps = [
            (families[2], "interval", ComputedLevel(digits=2, factor=1, width=50)),
            *texts,
            *times,
        ]
        steps += [(families[0], "interval", ComputedLevel(width=5, start=-3))]
        changes = [{}, *({"attribute": a, "form": form, "steps": [s]} for a, form, s in steps)]
    if step == "encode/unit_protected":
        changes.remove({"protected_keys": []})
    if step == "recode/live":
        changes.append({"entity": "entity"})
    if step == "methods/tree_partition/place":
        changes.append({"attribute": CATEGORICAL})
    if step in ("guard/allowed", "guard/unfit", "guard/broken"):
        plain = {"guard": Guard(k=5, t=0.2), "ordered_kinds": [], "far_kinds": []}
        changes += [plain, {**plain, "guard": Guard(k=5)}]
    if step == "tools/report/label":
        changes.append({"high": "one_hi"})
    if step == "tools/report/member":
        changes.append({"is_set": False})
    if step in ("audit/lead", "audit/fit"):
        parts = of_audit(step)["parts"]
        assert isinstance(parts, list)
        changes += [{"part": part, "leads": []} for part in parts]
    if step == "utility/part_bounds":
        changes.append({"has_null": "one_has_null", "has_special": "one_has_nonfinite"})
    if step in ON_AXIS:
        kinds = [
            ("number", "DOUBLE"),
            ("moment", "BIGINT"),
            ("nanosecond", "BIGINT"),
            ("time", "BIGINT"),
        ]
        axes = [Exact(kind=kind, type_name=Sql(name)) for kind, name in kinds]  # type: ignore[arg-type]
        changes += [of_axis(axis) for axis in axes]
        changes += [of_axis(None)] if not step.startswith("tools/report/") else []
        changes += [{"before_type": INSTANT, "type_name": INSTANT}]
    if step in ("audit/person", "audit/bound", "audit/fit", "audit/lead", "kk_proof/fit"):
        parts = names_of(step)["parts"]
        assert isinstance(parts, list)
        others = [replace(part, as_type=Sql("DOUBLE"), axis=WHOLE_NUMBERS) for part in parts]
        changes += [{"parts": others, "part": part, "leads": []} for part in others]
    if step == "utility/part_set":
        changes.append({"is_list": False, "type_name": "TIMESTAMP WITH TIME ZONE"})
    if step.startswith("audit/path_"):
        changes = [{}, {"entity": None}, {"columns": WALKED[:1]}]
        changes += [{"columns": []}] if step == "audit/path_unit" else []
    if step == "methods/node_risk/node_risk":
        changes.append({"has_entity": False})
    if step in ("audit/alone", "audit/subject", "audit/subject_before"):
        changes.append({"entity": None})
    if step == "audit/model":
        changes.append({"n_top": 1})
    if step in ("audit/domain", "audit/share_bounds"):
        changes += [{"type_name": name} for name in ("DECIMAL(4,4)", "VARCHAR")]
    if step.startswith("audit/"):
        # What others call columns or other columns are columns of the audit's own kind here.
        changes = [c for c in changes if not c.keys() & {"others", "attributes", "words"}]
        changes += [{"others": []}] if step == "audit/class_value" else []
    if step in ("label/mean", "label/special", "audit/share_centre"):
        changes = [c for c in changes if "attribute" not in c or c["attribute"] is not long_set]
    return [sample(step, **change) for change in changes]


__all__ = ["ATTRIBUTES", "CATEGORICAL", "ORDERED", "ident", "sample", "variants"]
