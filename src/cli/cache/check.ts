import type { Defect } from '../../engine/index/check.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { cacheCheckLines, type IndexCheck } from '../screens/cache-check.js';
import { CACHE_FILE } from './status.js';
import type { OpenIndex } from './open-check.js';

/** Compares files, entries and pages of each index of a file, and repairs what can be derived. Exit code 1: a defect is left. */
export async function cacheCheck({ args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const file = args['file'] ?? CACHE_FILE;
  const checks: IndexCheck[] = [];
  for (const index of await ports.indexes(file, String(options['profile'] ?? 'local')))
    checks.push(await checked(index, options['repair'] === true));
  if (options['json'] === true) io.out(JSON.stringify(checks));
  else io.out(cacheCheckLines(checks, file, colours(io.terminal.colour)).join('\n'));
  return checks.some(({ defects }) => defects.some(({ level }) => level !== 'note')) ? 1 : 0;
}

async function checked(index: OpenIndex, repairs: boolean): Promise<IndexCheck> {
  const { target, address } = index;
  const found = await index.check();
  if (!repairs || found.defects.every(({ repair }) => repair === null)) return { target, address, ...found };
  await index.repair(found);
  const left = await index.check();
  const keyOf = ({ code, subject }: Defect): string => `${code} ${subject}`;
  const remaining = new Set(left.defects.map(keyOf));
  const repaired = found.defects.filter((one) => !remaining.has(keyOf(one)));
  return { target, address, ...left, repaired };
}
