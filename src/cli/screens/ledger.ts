import type { LedgerRow, LedgerVerb } from '../../engine/ledger/fold.js';
import { short } from '../../model/digest.js';
import type { RunId, StepId } from '../../model/ids.js';
import { plain, table, type Colours } from '../render/paint.js';

export interface Asker {
  readonly run: RunId;
  readonly step: StepId;
  /** Null where the store does not know the run. */
  readonly workflowId: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Explanations of the states in the table. `done` needs none. */
const MEANING: Readonly<Record<Exclude<LedgerVerb, 'done'>, string>> = {
  there: 'seen at the target with these bytes; the run that wanted them ended before it wrote done',
  asked: 'asked for, and nobody wrote down that it arrived: the next run asks the target',
  refused: 'asked for, while the target has other bytes: nothing was uploaded',
  theirs: 'at the target, and never asked for from this store',
};

/** One line for each file and its bytes, by target. */
export function ledgerLines(rows: readonly LedgerRow[], asker: (row: LedgerRow) => Asker, paint: Colours): string[] {
  const places = [...new Set(rows.map(placeOf))];
  const verbs = [...new Set(rows.map(({ verb }) => verb))];
  const meanings = verbs.flatMap((verb) => (verb === 'done' ? [] : [[verb, MEANING[verb]]]));
  return [
    ...places.flatMap((place, at) => [
      ...(at > 0 ? [''] : []),
      paint.bold(plain(place)),
      ...table(rows.filter((row) => placeOf(row) === place).map((row) => cells(row, asker(row)))),
    ]),
    ...(meanings.length > 0 ? ['', ...table(meanings)] : []),
  ];
}

const placeOf = ({ target, profile }: LedgerRow): string => `${target}, profile ${profile}`;

const cells = (row: LedgerRow, { run, workflowId, at }: Asker): readonly string[] => [
  `  ${row.verb}`,
  plain(row.file),
  plain(row.version),
  `sha256:${short(row.digest)}`,
  at.replace(/\.\d+Z$/, 'Z'),
  plain(`${workflowId ?? 'run'} ${run.slice(0, 8)}`),
];
