-- A sample of the rows of every source, as keyed digests: the smallest ones of all its rows. Two sources
-- that share rows share digests, whatever they are called and however many rows were added. All digests
-- up to `reach` are there.
CREATE TABLE ppdt.source_row (
    run_id INTEGER NOT NULL,
    row_digest BIGINT NOT NULL,
    reach BIGINT NOT NULL
);
