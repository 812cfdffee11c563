import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { parseWheelName } from '../../engine/checks/wheel-name.js';
import type { Work } from '../work.js';
import { repairFailed } from './errors.js';
import type { Place } from './place.js';

/** Puts the libraries that a Linux wheel needs into it and gives it the tag it has earned. Wheels for any platform stay as they are. */
export async function repairWheel(work: Work<'buildWheel'>, place: Place, wheel: string): Promise<string> {
  const { repair, for: platform } = work.step.params;
  const name = parseWheelName(basename(wheel));
  const plain = name === null || name.platforms.every((tag) => !tag.startsWith('linux_'));
  if (repair === null || plain || platform.os !== 'linux') return wheel;
  const out = join(work.folder, 'repaired');
  await mkdir(out);
  const excludes = repair.exclude.flatMap((library) => ['--exclude', library]);
  const code = await place.run(['auditwheel', 'repair', ...excludes, '--wheel-dir', out, wheel], {
    cwd: work.folder,
    env: work.env(),
  });
  const [made] = await readdir(out);
  if (code !== 0 || made === undefined) throw fail(repairFailed(basename(wheel), work.log.tail(30)));
  return join(out, made);
}
