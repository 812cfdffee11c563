import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assertFolderIsOurs } from '../../../adapters/facts/ownership.js';
import { SlipwayFailure } from '../../../model/failure.js';
import type { ReadFile } from '../../../plan/read/release-file.js';
import { type DoctorCheck, ill, well } from '../../../services/doctor/check.js';
import { readHooks } from '../pure/comments/hooks.js';
import type { Hooks } from '../schemas/hooks.js';

export const hooksPath = (home: string): string => join(home, 'hooks.yaml');

/** Returns `hooks.yaml` of a home, with real paths of release files. Null without one. Throws all its problems, and
 * RELEASE_FILE_WRITABLE or RELEASE_FILE_NOT_OWNED if another user could have written it. */
export async function readHooksFile(home: string): Promise<ReadFile<Hooks> | null> {
  const path = hooksPath(home);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  await assertFolderIsOurs(await realpath(path));
  const { content, ...read } = readHooks(text, path);
  const jobs = Object.entries(content.jobs).map(([name, job]) => [name, { ...job, file: resolve(home, job.file) }]);
  return { ...read, content: { ...content, jobs: Object.fromEntries(jobs) as Hooks['jobs'] } };
}

export const checkHooks: DoctorCheck = async ({ home }) => {
  const found = await readHooksFile(home).catch((error: unknown) => error as Error);
  if (found === null) return [];
  if (found instanceof SlipwayFailure)
    return found.problems.map(({ message, next, place }) =>
      ill('hooks', `${place?.file ?? hooksPath(home)}:${place?.line ?? 1}: ${message}`, next),
    );
  if (found instanceof Error) return ill('hooks', found.message, `ls -l ${hooksPath(home)}`);
  const { repository, jobs, poll, secret } = found.content;
  const absent = Object.entries(jobs).filter(([, { file }]) => !existsSync(file));
  const ways = [
    ...(secret === undefined ? [] : ['deliveries']),
    ...(poll === 'off' ? [] : [`asked each ${poll / 1000} s`]),
  ];
  return absent.length === 0
    ? well('hooks', `${repository}: ${Object.keys(jobs).join(', ')}; comments by ${ways.join(', ')}`)
    : absent.map(([name, { file }]) =>
        ill('hooks', `jobs.${name}: ${file} is absent`, `correct jobs.${name}.file in ${hooksPath(home)}`),
      );
};
