{#- form/distance.sql: the squared distance between an asked and a known row. Wants: features, sets. -#}
asked.own + known.own
{% for feature in features %}
{% if feature.kind == "ordered" %}
        + coalesce(
            (asked.{{ ("x_%d" % feature.position) | ident }} - known.{{ ("x_%d" % feature.position) | ident }})
            * (asked.{{ ("x_%d" % feature.position) | ident }} - known.{{ ("x_%d" % feature.position) | ident }}),
            asked.{{ ("far_%d" % feature.position) | ident }}, known.{{ ("far_%d" % feature.position) | ident }}, 1e12)
{% elif feature.position in sets %}
        + asked.{{ ("m_%d" % feature.position) | ident }}[abs(known.{{ ("q_%d" % feature.position) | ident }})]
{% else %}
        + CAST(asked.{{ ("q_%d" % feature.position) | ident }} <> known.{{ ("q_%d" % feature.position) | ident }} AS DOUBLE) * 1e12
{% endif %}
{% endfor %}
