"""No setting of the session changes a result: releases, certificates and audits are the same.

Every setting that DuckDB has is named here: as one that cannot matter, or as one that is tried.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from support import every, mostly_slow

import ppdt_db
from ppdt_db import C45, ID3, KNN, Attribute, Kadet, Logistic, Mondrian, NaiveBayes, Part, Rules
from ppdt_db.evaluate import Privacy
from ppdt_db.hierarchy import build_hierarchy, check_hierarchy, read_hierarchy
from ppdt_db.learn import SetID3, confusion_matrix, predict_into, store
from ppdt_db.source.connection import WANTED
from ppdt_db.tree.tree import Tree

TRIED: dict[str, tuple[str, ...]] = {
    "TimeZone": ("America/New_York", "Asia/Kathmandu"),
    "Calendar": ("buddhist", "japanese"),
    "default_null_order": ("NULLS_FIRST", "SQLITE", "POSTGRES"),
    "null_order": ("NULLS_FIRST",),
    "default_order": ("DESCENDING",),
    "default_collation": ("NOCASE",),
    "integer_division": ("true",),
    "ieee_floating_point_ops": ("false",),
    "error_on_division_by_zero": ("false",),
    "old_implicit_casting": ("true",),
    "scalar_subquery_error_on_multiple_rows": ("false",),
    "order_by_non_integer_literal": ("true",),
    "preserve_identifier_case": ("lowercase", "uppercase", "false"),
    "preserve_insertion_order": ("false",),
    "lambda_syntax": ("DISABLE_SINGLE_ARROW", "ENABLE_SINGLE_ARROW"),
    "allow_parser_override_extension": ("fallback", "strict"),
    "regex_match_operator_semantics": ("full",),
    "dialect_compatibility_mode": ("POSTGRES",),
    "table_function_identifier_conversion": ("LOWER",),
    "legacy_disable_null_type": ("true",),
    "disable_timestamptz_casts": ("true",),
    "warnings_as_errors": ("true",),
    "binary_as_string": ("true",),
    "enable_view_dependencies": ("true",),
    "enable_macro_dependencies": ("true",),
    "immediate_transaction_mode": ("true",),
    "default_transaction_invalidation_policy": ("STANDARD_POLICY",),
    "errors_as_json": ("true",),
    "lock_configuration": ("true",),
    "deprecated_using_key_syntax": ("DEFAULT",),
    "enable_optimizer": ("false",),
    "threads": ("1",),
    "ordered_aggregate_threshold": ("1",),
    "debug_verify_vector": ("dictionary_expression",),
    "perfect_ht_threshold": ("0",),
    "prefer_range_joins": ("true",),
}
# Plans, memory, threads: the order of rows may follow from them, and no result follows from that.
HOW = """
    allocator_background_threads allocator_bulk_deallocation_flush_threshold
    allocator_flush_threshold approximate_join_order_threshold asof_loop_join_threshold
    async_threads block_allocator_memory debug_asof_iejoin debug_force_external
    debug_force_no_cross_product debug_physical_table_scan_execution_strategy debug_window_mode
    delim_join_as_cte disabled_optimizers dynamic_or_filter_threshold external_threads
    index_scan_max_count index_scan_percentage late_materialization_max_rows max_execution_time
    max_expression_depth max_memory max_streaming_buffer_size max_temp_directory_size
    memory_limit merge_join_threshold nested_loop_join_threshold operator_memory_limit
    pin_threads pivot_filter_threshold pivot_limit scheduler_process_partial standard_vector_size
    streaming_buffer_size temp_directory temp_file_encryption worker_threads
    debug_eviction_queue_sleep_micro_seconds
"""
# Storage and files: how bytes are written and kept.
STORED = """
    auto_checkpoint_skip_wal_threshold cache_local_files checkpoint_on_detach checkpoint_threshold
    debug_checkpoint_abort debug_checkpoint_scan_sleep_ms debug_checkpoint_sleep_ms
    debug_skip_checkpoint_on_commit debug_verify_blocks default_block_size
    disable_database_invalidation disable_parquet_prefetching disabled_compression_methods
    enable_external_file_cache enable_fsst_vectors enable_geoparquet_conversion
    enable_http_metadata_cache enable_object_cache enable_optimistic_write
    experimental_metadata_reuse external_file_cache_local_max_block_size
    external_file_cache_remote_max_block_size external_file_cache_remote_min_block_size
    external_file_cache_request_sizing external_file_cache_spill force_bitpacking_mode
    force_column_metadata_reuse force_compression force_variant_shredding fsync_mode
    geometry_minimum_shredding_size initial_column_segment_size max_vacuum_tasks
    parquet_metadata_cache parquet_prefetch_column_gap partitioned_write_flush_threshold
    partitioned_write_max_open_files prefetch_all_parquet_files read_ahead_depth
    storage_block_prefetch storage_compatibility_version validate_external_file_cache
    variant_minimum_shredding_size wal_autocheckpoint wal_autocheckpoint_entries
    write_buffer_row_group_count write_buffer_row_group_memory_limit zstd_min_string_length
"""
# Who may do what, networks, extensions: a run works, or DuckDB says that it may not.
ALLOWED = """
    access_mode active_grammar_extensions allow_community_extensions allow_extension_repositories
    allow_extensions_metadata_mismatch allow_persistent_secrets allow_unredacted_secrets
    allow_unsigned_extensions allowed_configs allowed_directories allowed_paths
    autoinstall_extension_repository autoinstall_known_extensions autoload_known_extensions
    current_dialect current_transaction_invalidation_policy custom_extension_repository
    custom_user_agent default_secret_storage disabled_filesystems duckdb_api
    enable_external_access extension_directories extension_directory
    extension_repository_directory file_search_path force_mbedtls_unsafe home_directory
    http_client_pool_capacity http_proxy http_proxy_password http_proxy_username password schema
    search_path secret_directory user username
"""
# What a person or another library is shown.
DISPLAYED = """
    arrow_large_buffer_size arrow_lossless_conversion arrow_output_list_view arrow_output_version
    catalog_error_max_schemas custom_profiling_settings disabled_log_types enable_http_logging
    enable_logging enable_profiling enable_progress_bar enable_progress_bar_print
    enabled_log_types explain_output http_logging_output ignore_unknown_crs json_geometry_format
    log_query_path logging_level logging_mode logging_storage pandas_analyze_sample
    produce_arrow_string_view profile_output profiling_coverage profiling_mode profiling_output
    profiling_renderer_settings progress_bar_time python_enable_replacements
    python_scan_all_frames redact_http_logs show_behavior tracked_metrics
"""
INERT = frozenset(f"{HOW} {STORED} {ALLOWED} {DISPLAYED}".split())


def known() -> set[str]:
    with duckdb.connect() as con:
        return {row[0] for row in con.execute("SELECT name FROM duckdb_settings()").fetchall()}


def test_every_setting_is_judged() -> None:
    new = sorted(known() - TRIED.keys() - INERT)
    assert not new, (
        f"DuckDB {duckdb.__version__} has settings that nobody has judged yet: {', '.join(new)}. "
        "Can they change a result? Name them in tests/test_settings.py, as tried or as inert."
    )


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """NULL, NaN, ties, instants before time zones were whole minutes, words of two cases."""
    con.execute(
        "CREATE TABLE people AS SELECT i * 37 % 41 AS age, CASE WHEN i % 9 = 0 THEN NULL"
        " WHEN i % 11 = 0 THEN 'nan'::DOUBLE ELSE (i * 13 % 29) / 8.0 END AS weight,"
        " make_timestamptz((-3786825600000000 + (i * 7919 % 31) * 86399000000)::BIGINT) AS seen,"
        " CASE WHEN i % 7 = 0 THEN NULL ELSE chr((97 + i % 2)::INTEGER) || chr((65 + i % 3)"
        "::INTEGER) END AS word, (i * 31 % 53)::DECIMAL(20, 2) AS paid, 'd' || i % 4 AS ill,"
        " make_timestamptz((i % 5 * 86399000000)::BIGINT) AS kept,"
        " [make_timestamptz((i % 3 * 86399000000 - 3786825600000000)::BIGINT)] AS listed"
        " FROM range(60) r(i)"
    )


QUASI = [
    "age", Attribute("weight", recode="bounds"), "seen", "word",
    Attribute("paid", recode="mean"),
]  # fmt: skip
TOLD = ("k_measured", "l_measured", "gcp", "classes", "measures", "findings",
        "kept_columns_uniqueness")  # fmt: skip


def results(con: duckdb.DuckDBPyConnection) -> str:
    """The certificate's figures, the audit's, and the profile's."""
    release = ppdt_db.anonymize(
        con, "people", quasi=QUASI, sensitive=["ill"], keep=["kept", "listed"],
        method=Mondrian(k=4, l=2), into="released", seed=7,
    )  # fmt: skip
    names = ["age", "weight_lo", "weight_hi", "weight_has_null", "weight_has_nonfinite", "seen"]
    audit = ppdt_db.audit(
        con, "released", quasi=[*names, "word", "paid"], sensitive=["ill", "kept"],
        original="people", population="people", require="kk=1",
    )  # fmt: skip
    again = ppdt_db.anonymize(
        con, "people", quasi=["age", Attribute("seen", recode="set")], sensitive=["ill"],
        identifiers=["weight", "word", "paid", "kept", "listed"],
        method=Mondrian(k=4), into="sets", seed=7,
    )  # fmt: skip
    sets = ppdt_db.audit(con, "sets", quasi=["age", "seen"], original="people", explained=True)
    told = [release.certificate.get(name) for name in TOLD]
    return json.dumps(
        [
            told,
            audit.measures,
            sets.measures,
            sets.worst,
            again.certificate["gcp"],
            str(ppdt_db.profile(con, "people")),
        ],
        default=str,
    )


def rows(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The released rows in their order, by what they hold."""
    return [
        repr(row)
        for name in ("released", "sets")
        for row in con.execute(f"SELECT to_json(r)::VARCHAR FROM {name} AS r").fetchall()
    ]


@pytest.fixture(scope="module")
def expected() -> Iterator[tuple[str, list[str]]]:
    with duckdb.connect() as con:
        con.execute("SET GLOBAL TimeZone = 'UTC'")
        fill(con)
        yield results(con), rows(con)


def set_(con: duckdb.DuckDBPyConnection, name: str, value: str) -> None:
    """The setting, for the database where it can be had there."""
    try:
        con.execute(f"SET GLOBAL {name} = '{value}'")
    except duckdb.Error:
        con.execute(f"SET {name} = '{value}'")


@pytest.mark.parametrize(
    ("name", "value"),
    mostly_slow(
        [(name, value) for name, values in TRIED.items() for value in values],
        *((name, TRIED[name][0]) for name in list(TRIED)[::24]),
    ),
)
def test_no_result_depends_on_a_setting(
    expected: tuple[str, list[str]], name: str, value: str
) -> None:
    if name not in known():
        pytest.skip(f"DuckDB {duckdb.__version__} has no setting {name}")
    with duckdb.connect() as con:
        con.execute("SET GLOBAL TimeZone = 'UTC'")
        fill(con)
        try:
            set_(con, name, value)
        except duckdb.Error:
            pytest.skip(f"DuckDB {duckdb.__version__} does not take {name} = {value}")
        try:
            found = results(con)
        except ppdt_db.RequestError as error:
            assert name in str(error), "a setting that is refused is refused by its name"
            return
        if name != "lock_configuration":
            con.execute(f"RESET {name}")
            con.execute("SET GLOBAL TimeZone = 'UTC'")
        assert found == expected[0]
        assert rows(con) == expected[1]


# -- every entry --


PLAIN = ["age", "weight", "seen", "word", "paid"]


def bare(con: duckdb.DuckDBPyConnection, source: str = "people") -> str:
    """The source as a model reads it: nothing nested."""
    con.execute(f"CREATE OR REPLACE VIEW bare AS SELECT {', '.join(PLAIN)}, ill FROM {source}")
    return "bare"


def profiled(con: duckdb.DuckDBPyConnection) -> object:
    return ppdt_db.profile(con, "people")


def planned(con: duckdb.DuckDBPyConnection) -> object:
    found = ppdt_db.plan(
        con, "people", quasi=PLAIN, keep=["kept", "listed", "ill"], method=Mondrian(k=4)
    )
    return found.rows, found.cells, found.values, found.levels


def learnt(con: duckdb.DuckDBPyConnection) -> object:
    """What every learner makes, and how often it is right."""
    kadet = Kadet(k=4, public=["age", "seen"], private=["word"])
    found = []
    for learner in (C45(), ID3(), NaiveBayes(), KNN(), Part(), Logistic(), kadet, SetID3()):
        features = ["age", "seen", "word"] if learner is kadet else PLAIN
        model = ppdt_db.learn(con, bare(con), target="ill", features=features, learner=learner)
        known = getattr(model, "tree", model)
        found.append([known.as_json() if isinstance(known, Tree) else model.size])
        found.append(sorted(confusion_matrix(con, model, "bare", target="ill").items(), key=repr))
    return found


def predicted(con: duckdb.DuckDBPyConnection) -> object:
    tree = ppdt_db.learn(con, bare(con), target="ill")
    predict_into(con, tree, "bare", into="predicted")
    store(con, tree, into="nodes")
    return tree.as_text()


def verified(con: duckdb.DuckDBPyConnection) -> object:
    tree = ppdt_db.learn(con, bare(con), target="ill")
    return ppdt_db.verify_tree(con, tree, "bare", public=["age", "seen"], k=2)


def spanned(con: duckdb.DuckDBPyConnection) -> object:
    learner = Kadet(k=4, public=["age", "seen"], private=["word"])
    columns = ["age", "seen", "word"]
    model = ppdt_db.learn(con, bare(con), target="ill", features=columns, learner=learner)
    record = ppdt_db.publish_spans(con, "bare", learner, model.tree, into="spans").certificate
    return record["k_measured"], record["classes"]


LEAVES = [
    "1970-01-01", "1970-01-01 23:59:59", "1970-01-02 23:59:58+00", "1970-01-03T23:59:57",
    "1970-01-04 23:59:56Z",
]  # fmt: skip


def of_instants(con: duckdb.DuckDBPyConnection, folder: Path) -> object:
    """Instants as classes, as leaves of hierarchies, and as what pseudonyms stand for."""
    tree = ppdt_db.learn(con, "people", target="kept", features=["age", "word"])
    con.execute("CREATE OR REPLACE VIEW timed AS SELECT age, seen, kept, kept AS key FROM people")
    release = ppdt_db.anonymize(
        con, "timed", quasi=["age", Attribute("seen", hierarchy="prefixes:7,4", recode="node")],
        sensitive=[Attribute("kept", hierarchy="prefixes:9")], pseudonymize=["key"],
        method=Mondrian(k=4, t=0.9), into="keyed", replace=True, seed=7,
        pseudonym_key="a key of sixteen letters", link_pseudonyms=True,
    )  # fmt: skip
    build_hierarchy(con, "people", "kept", "prefixes:9", folder / "kept.csv", replace=True)
    audit = ppdt_db.audit(
        con, "keyed", quasi=["age", "seen"], sensitive=["kept"], explained=True,
        hierarchies={"kept": folder / "kept.csv"},
    )  # fmt: skip
    return (
        tree.classes,
        sorted(confusion_matrix(con, tree, "people", target="kept").items(), key=repr),
        [release.certificate[name] for name in ("gcp", "measures")], audit,
        check_hierarchy(con, "people", "kept", {"grouping": {"early": LEAVES}}),
    )  # fmt: skip


def risked(con: duckdb.DuckDBPyConnection) -> object:
    return ppdt_db.tree_risk(con, bare(con), quasi=PLAIN, target="ill").nodes


def evaluated(con: duckdb.DuckDBPyConnection) -> object:
    privacy = Privacy(method=Mondrian(k=4), quasi=["age", "seen", "word"])
    found = ppdt_db.evaluate(con, bare(con), target="ill", cv="2", privacy=privacy)
    return found.folds, found.originals


def reported(con: duckdb.DuckDBPyConnection) -> object:
    page = ppdt_db.report(con, "released", original="people")
    # It says when the release was made, and the certificate at its end says it again.
    return re.sub(r"made [0-9 :-]+ UTC", "", page[: page.index("<pre")])


def listed(con: duckdb.DuckDBPyConnection) -> object:
    return [(entry.name, entry.form, entry.stands) for entry in ppdt_db.releases(con)]


def migrated(con: duckdb.DuckDBPyConnection) -> object:
    return ppdt_db.migrate(con)


def dropped(con: duckdb.DuckDBPyConnection) -> object:
    ppdt_db.drop(con, "released")
    return [entry.stands for entry in ppdt_db.releases(con)]


def applied(con: duckdb.DuckDBPyConnection, rules: Rules) -> object:
    return rules.apply(con, "people", into="shown").summary


def built(con: duckdb.DuckDBPyConnection, folder: Path) -> object:
    """Hierarchies that are made, checked and read."""
    wishes = {"seen": "dates:year", "age": "intervals:5,10", "word": "prefixes:1",
              "paid": "quantiles:4,2"}  # fmt: skip
    found: list[object] = []
    for column, wish in wishes.items():
        path = folder / f"{column}.csv"
        build_hierarchy(con, "people", column, wish, path, replace=True)
        found += [path.read_text("utf-8"), check_hierarchy(con, "people", column, wish)]
        found.append(read_hierarchy(con, path))
    return found


# What reads a source, a release or the catalog; `report` and what follows it read the release.
Entry = Callable[[duckdb.DuckDBPyConnection, Rules, Path], object]
ENTRIES: dict[str, Entry] = {
    "profile": lambda con, *_: profiled(con),
    "plan": lambda con, *_: planned(con),
    "learn": lambda con, *_: learnt(con),
    "predict": lambda con, *_: predicted(con),
    "verify_tree": lambda con, *_: verified(con),
    "tree_risk": lambda con, *_: risked(con),
    "evaluate": lambda con, *_: evaluated(con),
    "apply": lambda con, rules, _: applied(con, rules),
    "hierarchy": lambda con, _, folder: built(con, folder),
    "instants": lambda con, _, folder: of_instants(con, folder),
    "report": lambda con, *_: reported(con),
    "releases": lambda con, *_: listed(con),
    "migrate": lambda con, *_: migrated(con),
    "drop": lambda con, *_: dropped(con),
    "publish_spans": lambda con, *_: spanned(con),
}
ABOVE = {"anonymize", "audit"}
NO_DATABASE = {"load_rules"}


def test_every_entry_is_tried() -> None:
    public = {name for name in ppdt_db.__all__ if name.islower() and not name.startswith("_")}
    assert (
        public
        == ENTRIES.keys() - {"predict", "apply", "hierarchy", "instants"} | ABOVE | NO_DATABASE
    )


def ready(con: duckdb.DuckDBPyConnection) -> Rules:
    """The source, a release of it, and its rules; in UTC."""
    con.execute("SET GLOBAL TimeZone = 'UTC'")
    fill(con)
    release = ppdt_db.anonymize(
        con, "people", quasi=["age", "seen", "word"], sensitive=["ill"], keep=["kept", "listed"],
        identifiers=["weight", "paid"], method=Mondrian(k=4), into="released", seed=7, rules=True,
    )  # fmt: skip
    assert release.rules is not None
    return release.rules


def outcome(con: duckdb.DuckDBPyConnection, entry: Entry, rules: Rules, folder: Path) -> str:
    """What an entry gives, or how it refuses."""
    try:
        return repr(entry(con, rules, folder))
    except ppdt_db.PpdtError as error:
        return f"{type(error).__name__}: {error}"


def made(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The rows of the tables that entries made, in any order."""
    stand = {
        row[0]
        for row in con.execute(
            "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views()"
        ).fetchall()
    }
    return [
        repr(sorted(con.execute(f"SELECT to_json(t)::VARCHAR FROM {name} AS t").fetchall()))
        for name in ("predicted", "nodes", "shown", "keyed", "spans")
        if name in stand
    ]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], list[str]]:
    with duckdb.connect() as con:
        rules, folder = ready(con), tmp_path_factory.mktemp("given")
        found = {name: outcome(con, entry, rules, folder) for name, entry in ENTRIES.items()}
        assert not [text for text in found.values() if "Error: " in text[:20]]
        return found, made(con)


REFUSED = {name: TRIED[name] for name in WANTED}


@pytest.mark.parametrize("turn", mostly_slow(range(max(map(len, TRIED.values())))))
def test_no_entry_depends_on_a_setting(
    given: tuple[dict[str, str], list[str]], tmp_path: Path, turn: int
) -> None:
    """All settings at once, each in its first way, its second, and so on."""
    with duckdb.connect() as con:
        rules, done = ready(con), []
        for name, values in TRIED.items():
            if name in known() - REFUSED.keys() - {"lock_configuration"} and turn < len(values):
                with suppress(duckdb.Error):
                    set_(con, name, values[turn])
                    done.append(name)
        found = {name: outcome(con, entry, rules, tmp_path) for name, entry in ENTRIES.items()}
        for name in done:
            con.execute(f"RESET {name}")
        con.execute("SET GLOBAL TimeZone = 'UTC'")
        stand = made(con)
    different = {name: text[:300] for name, text in found.items() if text != given[0][name]}
    assert done
    assert not different
    assert stand == given[1]


@pytest.mark.parametrize(
    ("name", "value"),
    every(3, [(name, value) for name, values in REFUSED.items() for value in values]),
)
def test_every_entry_refuses_a_setting_by_its_name(tmp_path: Path, name: str, value: str) -> None:
    with duckdb.connect() as con:
        rules = ready(con)
        try:
            set_(con, name, value)
        except duckdb.Error:
            pytest.skip(f"DuckDB {duckdb.__version__} does not take {name} = {value}")
        found = {entry: outcome(con, ENTRIES[entry], rules, tmp_path) for entry in ENTRIES}
        con.execute(f"RESET {name}")
        assert made(con) == []
    refusal = f"RequestError: this connection has set {name}: "
    assert not {entry: text for entry, text in found.items() if not text.startswith(refusal)}
