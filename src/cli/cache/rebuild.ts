import { normalName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { projectOf } from '../../engine/index/listed.js';
import { fail } from '../../model/failure.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { cacheRebuildLines } from '../screens/cache-rebuild.js';
import type { Copy } from './open-rebuild.js';
import { rebuiltRows } from './rebuilt-rows.js';
import { wheelUnknown, whichWheels } from './errors.js';

const MOST_NAMED = 5;

/** Puts wheels of a lost index back, from the copies in the store; those that the store lost are built again. Exit 1 if the index lacks one with its digest afterwards. */
export async function cacheRebuild(input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { args, options, rest = [] } = input;
  const file = args['file'] ?? 'slipway.yaml';
  if (rest.length === 0 && options['all'] !== true) throw fail(whichWheels(file));
  const indexes = await ports.rebuild(file, String(options['profile'] ?? 'local'));
  const every = indexes.flatMap(({ copies }) => copies);
  const unknown = rest.filter((wheel) => !every.some((copy) => isMeant(wheel, copy)));
  if (unknown.length > 0) throw fail(unknown.map((wheel) => wheelUnknown(wheel, versionsOf(wheel, every))));
  const told = [];
  for (const index of indexes) {
    const { target, copies } = index;
    const wanted = copies.filter((copy) => rest.length === 0 || rest.some((wheel) => isMeant(wheel, copy)));
    told.push({ target, rows: await rebuiltRows(index, wanted, io) });
  }
  if (options['json'] === true) io.out(JSON.stringify(told));
  else io.out(cacheRebuildLines(told, file, colours(io.terminal.colour)).join('\n'));
  return told.some(({ rows }) => rows.some(({ why }) => why !== null)) ? 1 : 0;
}

/** @param wheel `NAME` or `NAME==VERSION` */
function isMeant(wheel: string, { entry: { file } }: Copy): boolean {
  const [name = '', version] = wheel.split('==');
  return normalName(name) === projectOf(file) && (version === undefined || sameVersion(version, versionOf(file)));
}

const versionOf = (file: string): string => file.split('-')[1] ?? '';

function versionsOf(wheel: string, copies: readonly Copy[]): readonly string[] {
  const name = normalName(wheel.split('==')[0]!);
  const own = copies.filter(({ entry }) => projectOf(entry.file) === name);
  return [...new Set(own.map(({ entry }) => `${name}==${versionOf(entry.file)}`))].slice(0, MOST_NAMED);
}
