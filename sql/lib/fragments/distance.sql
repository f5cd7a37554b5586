{#- lib/fragments/distance.sql: the squared distance between an asked and a known row. Wants: features, sets. -#}
asked.own + known.own
{% for feature in features %}
{% if feature.kind == "ordered" %}
        + coalesce(
            (asked.{{ feature.x }} - known.{{ feature.x }})
            * (asked.{{ feature.x }} - known.{{ feature.x }}),
            asked.{{ feature.far }}, known.{{ feature.far }}, 1e12)
{% elif feature.position in sets %}
        + asked.{{ feature.m }}[abs(known.{{ feature.q }})]
{% else %}
        + CAST(asked.{{ feature.q }} <> known.{{ feature.q }} AS DOUBLE) * 1e12
{% endif %}
{% endfor %}
