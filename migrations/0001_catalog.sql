-- The catalog: what was run and what was released. Private: it holds the keys of the digests and of
-- the draws, and live releases keep their dictionaries beside it.
CREATE SCHEMA IF NOT EXISTS ppdt;

CREATE TABLE ppdt.migration (
    number INTEGER PRIMARY KEY,
    name VARCHAR NOT NULL,
    checksum VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL
);

CREATE TABLE ppdt.secret (
    name VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);

CREATE TABLE ppdt.run (
    run_id INTEGER PRIMARY KEY,
    ended_at TIMESTAMP NOT NULL,
    source VARCHAR NOT NULL,
    source_fingerprint VARCHAR NOT NULL,
    method VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,
    run_key VARCHAR NOT NULL
);

CREATE TABLE ppdt.release (
    run_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    form VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL,
    certificate VARCHAR NOT NULL,
    ended_at TIMESTAMP
);

CREATE TABLE ppdt.class (
    run_id INTEGER NOT NULL,
    n_rows BIGINT NOT NULL,
    n_classes BIGINT NOT NULL
);

CREATE TABLE ppdt.finding (
    run_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    required DOUBLE,
    measured DOUBLE,
    is_passed BOOLEAN NOT NULL
);
