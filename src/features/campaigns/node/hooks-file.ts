import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assertFolderIsOurs } from '../../../adapters/facts/ownership.js';
import { utf8 } from '../../../adapters/facts/release-text.js';
import { SlipwayFailure } from '../../../model/failure.js';
import { type DoctorCheck, type Finding, ill, well } from '../../../services/doctor/check.js';
import { readHooks } from '../pure/comments/hooks.js';
import type { Hooks } from '../schemas/hooks.js';

export const hooksPath = (home: string): string => join(home, 'hooks.yaml');

/** Returns `hooks.yaml` of a home, with absolute paths of release files. Null without one. Throws all its problems, and
 * RELEASE_FILE_WRITABLE or RELEASE_FILE_NOT_OWNED if another user could have written it. */
export async function readHooksFile(home: string): Promise<Hooks | null> {
  const path = hooksPath(home);
  if (!existsSync(path)) return null;
  await assertFolderIsOurs(await realpath(path));
  const { jobs, ...hooks } = readHooks(await utf8(path, path), path).content;
  const whole = Object.entries(jobs).map(([name, job]) => [name, { ...job, file: resolve(home, job.file) }] as const);
  return { ...hooks, jobs: Object.fromEntries(whole) };
}

/** No row without `hooks.yaml`. */
export const checkHooks: DoctorCheck = ({ home }) =>
  readHooksFile(home).then(
    (hooks) => (hooks === null ? [] : told(hooks, hooksPath(home))),
    (error: unknown) => {
      if (!(error instanceof SlipwayFailure)) throw error;
      const at = (line = 1): string => `${hooksPath(home)}:${line}`;
      return error.problems.map(({ message, next, place }) => ill('hooks', `${at(place?.line)}: ${message}`, next));
    },
  );

function told({ repository, jobs, poll, secret }: Hooks, path: string): readonly Finding[] {
  const absent = Object.entries(jobs).filter(([, { file }]) => !existsSync(file));
  if (absent.length > 0)
    return absent.map(([name, { file }]) =>
      ill('hooks', `jobs.${name}: ${file} is absent`, `correct its file in ${path}`),
    );
  const ways = [secret && 'by delivery', poll !== 'off' && `asked each ${poll / 1000} s`].filter(Boolean);
  return [well('hooks', `${repository}: ${Object.keys(jobs).join(', ')}; comments ${ways.join(', ')}`)];
}
