import { rowOf } from './found.js';
import type { Law } from './law.js';
import { search, type Find } from './search.js';

const SHRINK_MS = 60_000;
const MINUTE_MS = 60_000;
/** Few, so that each law has its turn also within seconds. */
const WORLDS_A_TURN = 50;

export interface Fresh {
  readonly minutes: number;
  /** Milliseconds. */
  readonly clock: () => number;
  /** A new seed. */
  readonly random: () => number;
  readonly print: (line: string) => void;
}

interface Share {
  readonly law: Law;
  worlds: number;
  /** Milliseconds by its weight. */
  spent: number;
  isBroken: boolean;
}

/** Plays fresh worlds until the minutes are over. Laws get time by their weight.
 * A broken law rests: the next worlds would show the same bug. Returns how many were broken. */
export function freshSearch(laws: readonly Law[], { minutes, clock, random, print }: Fresh): number {
  const untilMs = clock() + minutes * MINUTE_MS;
  const shares = laws.map((law): Share => ({ law, worlds: 0, spent: 0, isBroken: false }));
  while (clock() < untilMs) {
    const share = next(shares);
    if (share === null) break;
    const beganMs = clock();
    const { worlds, find } = search(share.law, {
      ...{ seed: random(), runs: WORLDS_A_TURN, untilMs, shrinkMs: SHRINK_MS, clock, tell: print },
    });
    share.worlds += worlds;
    share.spent += (clock() - beganMs) / (share.law.weight ?? 1);
    share.isBroken = find !== null;
    if (find !== null) print(reportOf(find));
  }
  for (const { law, worlds, isBroken } of shares) print(lineOf(law, worlds, isBroken));
  return shares.filter(({ isBroken }) => isBroken).length;
}

const next = (shares: readonly Share[]): Share | null =>
  shares.filter(({ isBroken }) => !isBroken).sort((a, b) => a.spent - b.spent)[0] ?? null;

const reportOf = (find: Find): string =>
  `${find.law}: ${find.cause}\nadd this row to tests/engine/laws/found.jsonl:\n${rowOf(find)}`;

const lineOf = ({ id, says }: Law, worlds: number, isBroken: boolean): string =>
  `${isBroken ? 'BROKEN' : 'ok    '} ${String(worlds).padStart(9)} worlds  ${id.padEnd(26)} ${says}`;
