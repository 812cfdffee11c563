-- Sets up the server of `slipway up`. PostgreSQL reads this file in single-user mode as one transaction, so no empty line
-- may come before its end. `slipway up` puts the passwords in. The user of the server itself has none and cannot log in.
-- A database from before has `slipway` as that user, and a session cannot rename its own user.
update pg_authid set rolname = 'postgres', rolpassword = null where oid = 10 and rolname <> 'postgres';
do $$ begin
  if to_regrole('slipway') is null then create role slipway; end if;
  if to_regrole('slipway_reader') is null then create role slipway_reader; end if;
end $$;
alter role slipway login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password 'OWNER_PASSWORD';
alter role slipway_reader login connection limit 8 password 'READER_PASSWORD';
alter role slipway_reader set search_path = slipway;
alter role slipway_reader set default_transaction_read_only = on;
alter role slipway_reader set statement_timeout = '30s';
alter role slipway_reader set idle_in_transaction_session_timeout = '30s';
alter role slipway_reader set temp_file_limit = '1GB';
revoke all on database postgres from public;
grant connect, create, temporary on database postgres to slipway;
grant connect on database postgres to slipway_reader;
revoke all on schema public from public;
grant usage, create on schema public to slipway;
create schema if not exists slipway;
alter schema slipway owner to slipway;
-- Tables that the former superuser made.
do $$ declare one regclass; begin
  for one in select c.oid from pg_class c join pg_namespace n on n.oid = relnamespace
    where relowner = 10 and relkind in ('r', 'p', 'v', 'm') and nspname in ('slipway', 'public')
  loop execute format('alter table %s owner to slipway', one); end loop;
end $$;
grant usage on schema slipway to slipway_reader;
grant select on all tables in schema slipway to slipway_reader;
alter default privileges for role slipway in schema slipway grant select on tables to slipway_reader;
-- Functions that carry out a text as a query, write large objects or the log of the database, or hold locks.
do $$ declare one regprocedure; begin
  for one in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    and proname ~ '^(.*_to_xml|lo_|lowrite|loread|ts_stat|ts_rewrite|pg_logical_emit|pg_(try_)?advisory|pg_sleep)'
  loop
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to slipway', one);
  end loop;
end $$;
revoke usage on language plpgsql, sql from public;
grant usage on language plpgsql, sql to slipway;
select 'slipway is set up';

