#!/bin/sh
# Makes or updates Temporal's two databases. Safe to repeat.
set -eu
for kind in temporal visibility; do
  database=temporal
  [ "$kind" = temporal ] || database=temporal_visibility
  sql() { temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_SEEDS" -p 5432 -u "$POSTGRES_USER" --pw "$POSTGRES_PWD" --db "$database" "$@"; }
  sql create || true
  sql setup-schema -v 0.0 || true
  sql update-schema -d "/etc/temporal/schema/postgresql/v12/$kind/versioned"
done
