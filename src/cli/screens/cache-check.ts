import type { CheckedIndex } from '../../activities/index/check-index.js';
import type { Defect } from '../../engine/index/check.js';
import { counted } from '../../model/counted.js';
import { first, plain, type Colours } from '../render/paint.js';

/** An index as a check left it. */
export interface IndexCheck extends CheckedIndex {
  readonly target: string;
  readonly address: string;
  /** Defects that a repair mended. Absent without one. */
  readonly repaired?: readonly Defect[];
}

/** Defects of one index before the rest is counted. */
const SHOWN = 50;
const ALL = 'slipway cache check --json';

/** Screen of a check of indexes: defects found, and repairs. */
export const cacheCheckLines = (checks: readonly IndexCheck[], file: string, paint: Colours): readonly string[] =>
  checks.flatMap((check, at) => [...(at > 0 ? [''] : []), ...linesOf(check, file, paint)]);

function linesOf(check: IndexCheck, file: string, paint: Colours): readonly string[] {
  const { target, address, wheels, platforms, defects, repaired = [] } = check;
  const held = `${counted(wheels, 'wheel')} for ${counted(platforms.length, 'platform')}`;
  return [
    `${paint.bold(plain(target))}  ${plain(address)}  ${held}`,
    ...first(repaired, SHOWN, (some) => some.map(({ code, subject }) => `  repaired ${code} ${plain(subject)}`), ALL),
    ...first(defects, SHOWN, (some) => some.flatMap(defectLines), ALL),
    verdictLine(check, file),
  ];
}

const defectLines = ({ level, code, subject, why, next }: Defect): readonly string[] => [
  `  ${level} ${code} ${plain(subject)}: ${plain(why)}`,
  `    ${plain(next)}`,
];

function verdictLine({ defects, repaired }: IndexCheck, file: string): string {
  const bad = defects.filter(({ level }) => level !== 'note');
  if (bad.length === 0) return 'files, entries and pages agree';
  const mendable = repaired === undefined ? bad.filter(({ repair }) => repair !== null).length : 0;
  const repair = mendable === 0 ? '' : `; \`slipway cache check ${file} --repair\` can mend ${mendable} of them`;
  return `${counted(bad.length, 'defect')}${repair}`;
}
