"""The names that templates use for the columns and relations of one attribute."""

from ppdt_db.sqltext.numbered import NumberedName


class ColumnNames:
    """Quoted names with the position of an attribute: `{{ attribute.lo }}` writes "lo_2"."""

    position: int

    # The extent of a node, a side or a class, in codes.
    lo = NumberedName("lo_%d")
    hi = NumberedName("hi_%d")
    finite = NumberedName("finite_%d")
    special = NumberedName("special_%d")
    codes = NumberedName("codes_%d")
    n_values = NumberedName("n_values_%d")
    width = NumberedName("width_%d")
    penalty = NumberedName("penalty_%d")
    # Aliases of the dictionary where both ends are looked up, and their values.
    low = NumberedName("low_%d")
    high = NumberedName("high_%d")
    low_code = NumberedName("low_code_%d")
    high_code = NumberedName("high_code_%d")
    listed = NumberedName("listed_%d")
    positions = NumberedName("position_%d")
    # What a class shows.
    centre = NumberedName("centre_%d")
    common = NumberedName("common_%d")
    set = NumberedName("set_%d")
    words = NumberedName("words_%d")
    members = NumberedName("members_%d")
    bin = NumberedName("bin_%d")
    is_tested = NumberedName("is_%d")
    # The values of new rows.
    value = NumberedName("value_%d")
    value_words = NumberedName("word_%d")
    # Sets as values, and the parts that hierarchies and trees divide.
    set_code = NumberedName("s%d")
    branch = NumberedName("branch_%d")
    child = NumberedName("child_%d")
    range = NumberedName("range_%d")
    piece = NumberedName("piece_%d")
    bucket = NumberedName("bucket_%d")
    held = NumberedName("held_%d")
    kind_alias = NumberedName("kind_%d")
    # Relations.
    set_relation = NumberedName("ppdt_set_%d")
    listed_relation = NumberedName("ppdt_listed_%d")
    named_relation = NumberedName("ppdt_named_%d")
    value_name_relation = NumberedName("ppdt_value_name_%d")
    form_member_relation = NumberedName("ppdt_form_member_%d")
    special_relation = NumberedName("ppdt_special_%d")
    common_relation = NumberedName("ppdt_common_%d")
    centre_relation = NumberedName("ppdt_centre_%d")
    branch_relation = NumberedName("ppdt_branch_%d")
    child_relation = NumberedName("ppdt_child_%d")
    coordinate_relation = NumberedName("ppdt_coordinate_%d")
    bucket_relation = NumberedName("ppdt_bucket_%d")
    bin_value_relation = NumberedName("ppdt_bin_value_%d")
    held_relation = NumberedName("ppdt_held_%d")
