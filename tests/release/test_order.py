"""The order of a run: what it says of itself."""

from ppdt_db.release.request import Keys


def test_no_key_stands_in_what_is_printed_of_the_keys() -> None:
    keys = Keys.of(7, "a pseudonym key that nobody may read", links=False)
    assert all(str(secret) not in repr(keys) for secret in (keys.run, keys.pseudonym, keys.salt))


def test_draws_follow_from_the_seed_and_salts_never_do() -> None:
    one, other = (Keys.of(7, None, links=False) for _ in range(2))
    assert one.run == other.run != Keys.of(8, None, links=False).run
    assert one.salt != other.salt and Keys.of(7, None, links=True).salt == ""
    assert Keys.of(None, None, links=True).run != Keys.of(None, None, links=True).run
