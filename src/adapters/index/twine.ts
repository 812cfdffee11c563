import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Item, Session } from '../../activities/publish/ports.js';
import { fail, type Problem } from '../../model/failure.js';
import { toolsBin } from '../home.js';
import { isAddress } from './addresses.js';
import { fileRefused } from './errors.js';
import { targetRefused, targetUnreachable } from '../http/errors.js';
import { problemOfStatus } from '../http/judge.js';

/** Uploads files in the given order and stops at the first refusal. Credentials go through the environment, which
 * process lists and logs do not show. */
export async function twineUpload(to: Connection, session: Session, items: readonly Item[]): Promise<void> {
  const files = [];
  for (const item of items) files.push(await session.fetch(item.artifact, join(session.folder, 'upload')));
  const where = isAddress(to.address) ? ['--repository-url', to.address] : ['-r', to.address];
  const argv = [twine(), 'upload', '--non-interactive', '--disable-progress-bar', ...where, ...files];
  const { code } = await session.exec(argv, { env: session.env(credentials(to)) });
  if (code !== 0) throw fail(refusal(to, session.log.tail(12)));
}

/** Placeholders, because twine prompts for missing credentials. An open index accepts any. */
const credentials = (to: Connection): Record<string, string> => ({
  TWINE_USERNAME: to.username ?? 'anonymous',
  TWINE_PASSWORD: to.password ?? 'none',
  NO_COLOR: '1',
  TERM: 'dumb',
  COLUMNS: '500',
  // Unbuffered output shows progress in the log.
  PYTHONUNBUFFERED: '1',
});

const twine = (): string => {
  const own = join(toolsBin(), 'twine');
  return existsSync(own) ? own : 'twine';
};

/** The last line of twine where it cannot read a file or its metadata. It has sent nothing then. */
const FILE_REFUSED = /\bInvalidDistribution\b|^(zipfile\.BadZipFile|tarfile\.\w+):/m;

/** Classifies a refused upload by twine's output: `HTTPError: 403 Forbidden from …`. */
export function refusal(to: Connection, tail: readonly string[]): Problem {
  if (FILE_REFUSED.test(tail.join('\n'))) return fileRefused(to.name, tail);
  const status = Number(/HTTPError:\s+(\d{3})/.exec(tail.join('\n'))?.[1] ?? 0);
  const problem = problemOfStatus(to.name, to.address, status);
  if (problem !== null) return { ...problem, evidence: tail };
  if (status === 0) return { ...targetUnreachable(to.name, to.address, 'the upload did not end'), evidence: tail };
  return targetRefused(to.name, `an upload (HTTP ${status})`, tail);
}
