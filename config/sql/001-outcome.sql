-- One row for each attempt of a release test, from the record of the same name in the store.
create table outcome (
  name text primary key,
  pipeline text not null,
  label text not null,
  profile text not null,
  run text not null,
  step text not null,
  test text not null,
  title text not null,
  repeat integer not null,
  attempt integer not null,
  at timestamptz not null,
  ms bigint not null,
  branch text,
  commit text,
  code text,
  class text,
  message text not null,
  phase text not null,
  exit integer,
  return_code integer not null,
  owner text,
  smoke boolean not null,
  stable boolean not null,
  nodes_seen integer not null,
  nodes_lost integer not null,
  crash_pattern text not null,
  tags jsonb not null,
  results jsonb
);
create index outcome_by_test on outcome (pipeline, test, at);
create index outcome_by_run on outcome (pipeline, run);
