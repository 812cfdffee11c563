import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { SourceRef } from '../../../model/params.js';
import type { PlanSource } from '../../../model/plan.js';
import { sourceOf } from '../../../model/sources.js';
import { compileExpression } from '../../../model/schema/expression.js';
import type { PathHit } from '../../../engine/checks/builder-paths.js';
import type { MemberHash } from '../../../engine/checks/record.js';
import type { NativeMember, WheelFacts } from '../../../engine/checks/wheel.js';
import { filesUnder } from '../../files-under.js';
import type { Archives } from '../../source/ports.js';
import { unpackTree } from '../../source/unpack.js';
import { newFolder } from '../../step/inside.js';
import type { Work } from '../../work.js';
import { ofElf, readNative } from '../../natives/read-native.js';
import { readElf } from '../../natives/elf.js';
import { readMetadata } from './metadata.js';
import type { Needle } from './needles.js';
import { placeHits, scanFile } from './scan.js';

const LONGEST_COMMIT_FILE = 1 << 20;

/** Reads the facts of a wheel without importing its code. */
export async function lookAtWheel(
  work: Work<'buildWheel'>,
  archives: Archives,
  wheel: string,
  needles: readonly Needle[],
): Promise<WheelFacts> {
  const { project, version, python, for: platform, everywhere } = work.step.params;
  const folder = newFolder(work, 'look');
  await unpackTree(archives, wheel, folder, { strip: false });
  return {
    file: basename(wheel),
    wanted: { project, version, python, platform, everywhere },
    ...(await readMetadata(folder)),
    ...(await lookAtMembers(folder, needles)),
    commit: await lookForCommit(work, folder),
  };
}

async function lookAtMembers(
  folder: string,
  needles: readonly Needle[],
): Promise<Pick<WheelFacts, 'members' | 'natives' | 'runPaths' | 'paths'>> {
  const members: MemberHash[] = [];
  const runPaths: { member: string; value: string }[] = [];
  const paths: PathHit[] = [];
  const natives: NativeMember[] = [];
  for (const path of await filesUnder(folder)) {
    const member = relative(folder, path);
    const { sha256, size, hits, binary } = await scanFile(path, needles);
    members.push({ path: member, sha256, size });
    const read = await readElf(path);
    const elf = read === 'broken' ? null : read;
    const facts = elf ? ofElf(elf) : await readNative(path);
    if (facts !== null) natives.push({ member, facts });
    runPaths.push(...strangeRunPaths(facts?.runPaths ?? [], needles).map((value) => ({ member, value })));
    if (hits.length > 0) paths.push(...placeHits(member, hits, elf?.sections ?? (binary ? [] : null)));
  }
  return { members, natives, runPaths, paths };
}

/** Returns the native libraries of a wheel.
 * @param folder the folder to unpack it to */
export async function lookAtNatives(
  archives: Archives,
  wheel: string,
  folder: string,
): Promise<readonly NativeMember[]> {
  await unpackTree(archives, wheel, folder, { strip: false });
  return (await lookAtMembers(folder, [])).natives;
}

/** Returns parts of run paths that do not start at the wheel itself, with this machine's folders renamed. */
function strangeRunPaths(runPaths: readonly string[], needles: readonly Needle[]): readonly string[] {
  const parts = runPaths
    .flatMap((text) => text.split(':'))
    .filter((part) => part !== '' && !/^(\$\{?ORIGIN\}?|@loader_path|@executable_path)(\/|$)/.test(part));
  return parts.map((part) => {
    const needle = needles.find(({ prefix }) => part === prefix || part.startsWith(`${prefix}/`));
    return needle ? needle.name + part.slice(needle.prefix.length) : part;
  });
}

const revisionOf = (source: SourceRef | PlanSource): string =>
  source.kind === 'git' ? source.commit : source.kind === 'sdist' ? source.version : '';

async function lookForCommit(work: Work<'buildWheel'>, folder: string): Promise<WheelFacts['commit']> {
  const check = work.step.params.commit;
  if (check === null) return null;
  const wanted = revisionOf(sourceOf(work.plan, work.step.id));
  const path = join(folder, check.file);
  const present = path.startsWith(`${folder}/`) && existsSync(path) && (await stat(path)).size <= LONGEST_COMMIT_FILE;
  const found = present
    ? (compileExpression(check.match, { lines: true }).match(await readFile(path, 'utf8'))?.[1] ?? null)
    : null;
  return { file: check.file, present, found, wanted };
}
