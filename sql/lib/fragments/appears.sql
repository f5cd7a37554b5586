{#- lib/fragments/appears.sql: what a feature shows in a row; bounds as the range that they stand for, instants
in UTC. Wants: feature. -#}
{%- if feature.form == "bounds" -%}
CASE WHEN source.{{ feature.low | ident }} IS NOT NULL AND source.{{ feature.high | ident }} IS NOT NULL
        THEN concat('[', {% with column = feature.low %}{% include "lib/fragments/in_utc.sql" %}{% endwith %}, ', ', {% with column = feature.high %}{% include "lib/fragments/in_utc.sql" %}{% endwith %}, ']'
        {%- if feature.has_null %}, CASE WHEN source.{{ feature.has_null | ident }} THEN ' or NULL' END{% endif %})
    END
{%- elif feature.family == "text" and feature.form != "set" -%}
source.{{ feature.column | ident }} COLLATE "binary"
{%- elif feature.family == "float" and feature.form != "set" -%}
CASE WHEN source.{{ feature.column | ident }} = 0 THEN 0 ELSE source.{{ feature.column | ident }} END
{%- else -%}
source.{{ feature.column | ident }}
{%- endif -%}
