{#- lib/fragments/range_label.sql: a class's values as a range in words: `[20, 30] or NULL`; a single value as itself, and
NULL where there is nothing else. Wants: attribute; reads its ends and special values as `label/label` joins them. -#}
CASE
        WHEN extent.{{ attribute.lo }} IS NULL
{% if not attribute.n_special %}
            THEN NULL
{% elif attribute.has_null %}
            THEN CASE WHEN extent.{{ attribute.special }} <> 1 THEN {{ attribute.special }}.words END
{% else %}
            THEN {{ attribute.special }}.words
{% endif %}
        ELSE concat(
            CASE
                WHEN extent.{{ attribute.lo }} = extent.{{ attribute.hi }} THEN {{ attribute.low }}.shown
                ELSE concat('[', {{ attribute.low }}.shown, ', ', {{ attribute.high }}.shown, ']')
            END
{%- if attribute.n_special > 0 %},
            ' or ' || {{ attribute.special }}.words
{%- endif %}

        )
    END
{#- -#}
