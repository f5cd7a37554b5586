"""The functions and types allowed in user expressions: their result depends on the arguments alone.

DuckDB's own flag is not enough: it marks current_localtimestamp() as consistent, extensions set it
freely, and the order of a sorted list is a setting. So each function is listed here. Deliberately
missing: functions that return times with a zone (strptime, to_timestamp, timezone), which are shown
in the session's zone; list_sort and list_distinct, whose order is a setting or undefined; hash,
which changes between versions; error.
"""

_OPERATORS = """
    + - * / // % ** ^ & | << >> ~ @ ! || ^@ ~~ !~~ ~~* !~~* ~~~
"""
_NUMBERS = """
    abs add ceil ceiling subtract multiply divide even exp fdiv floor fmod gcd greatest
    greatest_common_divisor isfinite isinf isnan lcm least least_common_multiple ln log log10
    log2 mod pow power cbrt round round_even roundbankers sign signbit sqrt trunc bit_count xor
    sin cos tan asin acos atan atan2 degrees radians pi factorial
"""
_TEXTS = """
    ascii bar bin char_length character_length chr concat concat_ws contains damerau_levenshtein
    editdist3 ends_with format hamming hex ilike_escape instr jaccard jaro_similarity
    jaro_winkler_similarity lcase left left_grapheme len length length_grapheme levenshtein
    like_escape lower lpad ltrim md5 mismatches nfc_normalize not_ilike_escape not_like_escape
    octet_length ord overlay position prefix printf regexp_escape regexp_extract
    regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
    repeat replace reverse right right_grapheme rpad rtrim sha1 sha256 split split_part
    starts_with str_split str_split_regex string_split string_split_regex string_to_array
    strip_accents strlen strpos substr substring substring_grapheme suffix to_base to_binary
    to_hex translate trim ucase unicode upper
"""
_TIMES = """
    century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc
    day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us era hour
    isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms
    make_timestamp_ns microsecond millennium millisecond minute month monthname nanosecond
    quarter second strftime time_bucket to_centuries to_days to_decades to_hours to_microseconds
    to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_weeks to_years
    week weekday weekofyear year yearweek
"""
_OTHERS = """
    apply array_apply array_cat array_concat array_contains array_extract array_filter array_has
    array_indexof array_length array_position array_reduce array_reverse array_slice
    array_to_string array_transform filter if list_apply list_cat list_concat list_contains
    list_element list_extract list_filter list_has list_indexof list_pack list_position
    list_reduce list_reverse list_slice list_transform list_value nullif reduce row
    struct_extract struct_pack
"""
FUNCTIONS = frozenset(f"{_OPERATORS} {_NUMBERS} {_TEXTS} {_TIMES} {_OTHERS}".split())

OPERATORS = frozenset(
    {
        "OPERATOR_NOT", "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL", "OPERATOR_COALESCE",
        "OPERATOR_NULLIF", "OPERATOR_TRY", "COMPARE_IN", "COMPARE_NOT_IN", "ARRAY_EXTRACT",
        "ARRAY_SLICE", "ARRAY_CONSTRUCTOR", "STRUCT_EXTRACT",
    }
)  # fmt: skip
CLASSES = frozenset(
    {
        "BETWEEN", "CASE", "CAST", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT",
        "FUNCTION", "LAMBDA", "OPERATOR", "TYPE",
    }
)  # fmt: skip
# DuckDB's names of types, and their aliases.
_TYPES = """
    BOOLEAN BOOL TINYINT INT1 SMALLINT INT2 INTEGER INT INT4 SIGNED BIGINT INT8 LONG HUGEINT
    UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT REAL FLOAT4 DOUBLE FLOAT8 DECIMAL NUMERIC
    VARCHAR TEXT STRING CHAR BPCHAR DATE TIME TIMESTAMP DATETIME TIMESTAMP_S TIMESTAMP_MS
    TIMESTAMP_NS INTERVAL UUID LIST ARRAY
"""
TYPES = frozenset(_TYPES.split())
