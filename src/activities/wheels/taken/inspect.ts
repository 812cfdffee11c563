import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { judgeNames } from '../../../engine/checks/wheel.js';
import { fail } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import { fittingWheels } from '../../../model/python/fitting-wheel.js';
import { normalName, parseWheelName } from '../../../model/python/file-name.js';
import { compileExpression } from '../../../model/schema/expression.js';
import type { Archives } from '../../source/ports.js';
import { unpackTree } from '../../source/unpack.js';
import { newFolder } from '../../step/inside.js';
import type { Work } from '../../work.js';
import { readMetadata } from '../look/metadata.js';
import { wheelCommitAbsent, wheelCommitDiffers, wheelOfOther } from './errors.js';

type Taking = Work<'takeWheel'>;

const LONGEST_BYTES = 1 << 20;

interface Inspected {
  readonly version: string;
  /** The commit that the wheel says. Null if it was not asked for it. */
  readonly commit: string | null;
  readonly findings: readonly Finding[];
}

/** Reads what a taken wheel says of itself, without importing it. Throws WHEEL_OF_OTHER, WHEEL_COMMIT_ABSENT or
 * WHEEL_COMMIT_DIFFERS. */
export async function inspect(work: Taking, archives: Pick<Archives, 'unpack'>, path: string): Promise<Inspected> {
  const file = basename(path);
  const name = mustFit(work, file);
  const folder = newFolder(work, 'look');
  const inside = work.step.params.commit?.file;
  await unpackTree(archives, path, folder, {
    strip: false,
    only: ({ name: member, size }) =>
      size <= LONGEST_BYTES && (member === inside || /^[^/]+\.dist-info\/(METADATA|WHEEL)$/.test(member)),
  });
  const { metadata, tags } = await readMetadata(folder);
  if (metadata === null)
    throw fail(wheelOfOther(file, 'holds no METADATA', 'No installer takes it. Take a wheel of another commit.'));
  const { project } = work.step.params;
  if (normalName(metadata.name) !== normalName(project))
    throw fail(wheelOfOther(file, `holds the project ${metadata.name}, not ${project}`, NAME_IT));
  const findings = judgeNames({ file, metadata, tags }, name);
  for (const { level, code, subject, why } of findings) work.log.note(`${level} ${code} ${subject}: ${why}`);
  return { version: metadata.version, commit: await commitIn(work, folder, file), findings };
}

const NAME_IT = 'Correct `project` of the wheel, or `from.at`.';

function mustFit({ step: { params } }: Taking, file: string): NonNullable<ReturnType<typeof parseWheelName>> {
  const { project, python, for: platform } = params;
  const name = parseWheelName(file);
  if (name === null) throw fail(wheelOfOther(file, 'is no name of a wheel', NAME_IT));
  if (fittingWheels([file], { project, python, platform }).length === 0)
    throw fail(
      wheelOfOther(
        file,
        `is not a wheel of ${project} for ${python ?? 'any Python'} on ${platform.name}`,
        'Write {python} into `from.at`, or leave the variant out with `exclude`.',
      ),
    );
  return name;
}

async function commitIn({ step }: Taking, folder: string, file: string): Promise<string | null> {
  const { commit: check, wanted } = step.params;
  if (check === null) return null;
  const text = await readFile(join(folder, check.file), 'utf8').catch(() => null);
  if (text === null) throw fail(wheelCommitAbsent(file, check.file, 'is not in the wheel, or is larger than 1 MiB'));
  const found = compileExpression(check.match, { lines: true }).match(text)?.[1] ?? null;
  if (found === null) throw fail(wheelCommitAbsent(file, check.file, 'has nothing that matches'));
  if (wanted !== null && found !== wanted) throw fail(wheelCommitDiffers(file, check.file, found, wanted));
  return found;
}
