import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import { closing } from '../closing.js';
import type { CommandSpec, ExitCode, Io } from '../command.js';
import { noSuchHistoryAction } from '../errors.js';
import type { History, Ports } from '../ports.js';
import { plain, table } from '../render/paint.js';

const RUNS = `select pipeline, label, min(at) as since, count(distinct test) as tests,
  count(distinct test) filter (where code is not null) as failed, run
from outcome group by pipeline, label, run order by since desc limit 20`;

export const history: CommandSpec<Ports> = {
  name: 'history',
  summary: 'outcomes of release tests over many runs, in PostgreSQL: the last 20 runs, or your own question',
  arguments: [{ name: '[action]', help: 'rebuild: make all rows again from the store' }],
  options: [
    { flags: '--sql <statement>', help: 'one statement that reads the table `outcome`' },
    { flags: '--json', help: 'rows as JSON' },
  ],
  async run({ args, options }, io, ports) {
    const { action } = args;
    if (action !== undefined && action !== 'rebuild') throw fail(noSuchHistoryAction(action));
    await using open = closing(await ports.history());
    return action === 'rebuild' ? await rebuild(open, io) : await ask(open, io, options);
  },
};

async function rebuild(open: History, io: Io): Promise<ExitCode> {
  const { rows, unread, digest } = await open.rebuild();
  io.out(`${counted(rows, 'row')} from the store, ${digest}`);
  if (unread > 0) io.err(`${counted(unread, 'record')} under outcomes/ could not be read as an outcome`);
  return 0;
}

async function ask(open: History, io: Io, { sql, json }: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const { columns, rows } = typeof sql === 'string' ? await open.ask(sql) : await open.ask(RUNS, 'us');
  if (json === true)
    io.out(JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))));
  else if (rows.length === 0) io.out('No rows.');
  else for (const line of table([columns, ...rows.map((row) => row.map(shown))])) io.out(line);
  return 0;
}

const shown = (value: unknown): string =>
  plain(
    value === null
      ? '-'
      : value instanceof Date
        ? value.toISOString()
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value),
  );
