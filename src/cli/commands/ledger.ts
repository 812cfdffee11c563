import { LEDGER, type LedgerEntry } from '../../engine/ledger/entry.js';
import { foldLedger, type LedgerRow } from '../../engine/ledger/fold.js';
import { fail } from '../../model/failure.js';
import { records, type Started } from '../../model/run-folder.js';
import type { CommandSpec } from '../command.js';
import { nothingInLedger } from '../errors.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { ledgerLines, type Asker } from '../screens/ledger.js';

export const ledger: CommandSpec<Ports> = {
  name: 'ledger',
  summary: 'what was asked of which target, what is known to be there, who asked and when',
  arguments: [
    { name: '[target]', help: 'only this target' },
    { name: '[name]', help: 'only this release, or files whose name holds this text' },
  ],
  options: [
    { flags: '--profile <name>', help: 'only what was published under this profile' },
    { flags: '--json', help: 'the same as JSON, with the runs behind each line' },
  ],
  async run({ args, options }, io, ports) {
    const profile = options['profile'] === undefined ? undefined : String(options['profile']);
    const all = await readLedger(ports, profile);
    const { target, name } = args;
    const rows = all.filter((row) => isAsked(row, target, name));
    const askers = await askersOf(rows, ports);
    if (rows.length === 0 && (target ?? name) !== undefined)
      throw fail(nothingInLedger([target, name], [...new Set(all.map((row) => row.target))]));
    if (options['json'] === true) io.out(JSON.stringify(rows.map((row) => ({ ...row, asked: askers(row) }))));
    else if (rows.length === 0) io.out('Nothing was ever asked of a target from this store.');
    else for (const line of ledgerLines(rows, askers, colours(io.terminal.colour))) io.out(line);
    return 0;
  },
};

async function readLedger(ports: Ports, profile: string | undefined): Promise<readonly LedgerRow[]> {
  const store = await ports.store();
  const names = await store.list(profile === undefined ? LEDGER : `${LEDGER}${profile}/`);
  const lines = await Promise.all(
    names.map(async (record) => ({ record, entry: await store.read<LedgerEntry>(record) })),
  );
  return foldLedger(lines.flatMap(({ record, entry }) => (entry === null ? [] : [{ record, entry }])));
}

const isAsked = (row: LedgerRow, target: string | undefined, name: string | undefined): boolean =>
  (target === undefined || row.target === target) &&
  (name === undefined || row.name === name || row.file.includes(name));

/** Returns the run behind each row: the first one that wanted or saw the bytes. */
async function askersOf(rows: readonly LedgerRow[], ports: Ports): Promise<(row: LedgerRow) => Asker> {
  const first = (row: LedgerRow) => (row.wanted ?? row.done ?? row.observed)!;
  const runs = [...new Set(rows.map((row) => first(row).run))];
  const store = await ports.store();
  const read = runs.map(async (run) => [run, await store.read<Started>(records.started(run))] as const);
  const started = new Map(await Promise.all(read));
  return (row) => {
    const { run, step, at } = first(row);
    return { run, step, at, workflowId: started.get(run)?.workflowId ?? null };
  };
}
