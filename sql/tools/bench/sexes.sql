-- tools/bench/sexes.sql: table III of Shao and Beckford: eight people, of whom some sexes are generalized.
--
-- in:      nothing
-- out:     sexes (sex, salary)
--          one row per person
-- paper:   Shao, Beckford, section IV A
SELECT people.sex, people.salary
FROM (
    VALUES
        (['M', 'F'], '<=50'), (['F'], '<=50'), (['F'], '>50'), (['F'], '<=50'),
        (['M'], '>50'), (['F', 'M'], '<=50'), (['F'], '<=50'), (['M', 'F'], '>50')
) AS people (sex, salary);
