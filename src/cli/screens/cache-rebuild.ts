import { counted } from '../../model/counted.js';
import type { RebuiltRow } from '../cache/rebuilt-rows.js';
import { plain, table, type Colours } from '../render/paint.js';

export interface RebuiltIndex {
  readonly target: string;
  readonly rows: readonly RebuiltRow[];
}

/** Counts of each platform, then the wheels that the index lacks, with the reason. */
export function cacheRebuildLines(indexes: readonly RebuiltIndex[], file: string, paint: Colours): readonly string[] {
  return indexes.flatMap(({ target, rows }) => {
    const bad = rows.filter(({ why }) => why !== null);
    const digests = `${rows.length - bad.length} of ${counted(rows.length, 'wheel')} with the digest of the entry`;
    return [
      `${paint.bold(plain(target))}  ${digests}`,
      ...(rows.length === 0 ? [] : countRows(rows)),
      ...(bad.length === 0 ? [] : ['', ...badRows(bad, paint), ...nextLines(bad, file)]),
    ];
  });
}

const STATES = ['restored', 'built', 'there', 'differs', 'other', 'lost'] as const;

function countRows(rows: readonly RebuiltRow[]): readonly string[] {
  const platforms = [...new Set(rows.map(({ platform }) => platform))].sort();
  const count = (platform: string, state: string): string =>
    String(rows.filter((row) => row.platform === platform && row.state === state).length);
  return table([
    ['platform', ...STATES],
    ...platforms.map((platform) => [plain(platform), ...STATES.map((state) => count(platform, state))]),
  ]);
}

const badRows = (bad: readonly RebuiltRow[], paint: Colours): readonly string[] =>
  table(
    bad.map(({ platform, file, state, why }) => [paint.bold(state), plain(platform), plain(file), plain(why ?? '')]),
  );

const nextLines = (bad: readonly RebuiltRow[], file: string): readonly string[] => [
  ...(bad.some(({ state }) => state === 'lost' || state === 'other')
    ? ['', `build wheels that lists want: slipway run ${file}`]
    : []),
];
