-- lib/engine/sniffed.sql: the dialect that the engine's sniffer takes a CSV file to be in.
SELECT "Delimiter" AS delim, "Quote" AS quote, "Escape" AS escape, "Comment" AS comment, "SkipRows" AS n_skipped, "HasHeader" AS has_header
FROM sniff_csv({{ path | literal }}, encoding = {{ encoding | literal }}, sample_size = -1)
