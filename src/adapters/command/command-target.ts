import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import { fileName } from '../../model/file-name.js';
import { hexOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { foldersAt, lineVariables } from '../../model/shell-variables.js';
import { shownAnywhere } from '../http/request.js';
import { asFolder } from '../index/addresses.js';
import { extraOf } from '../target-extra.js';
import { observeFailed, observeNotUnderstood, observeUnknown, uploadFailed } from './errors.js';

/** Exit status of `observe` if it cannot tell. */
const UNKNOWN = 3;
const EVIDENCE_LINES = 12;
const LONGEST_ANSWER = 200;

/** A registry with a command-line client; the release file has its lines. A line sees the file, its name and digest,
 * the named secrets, and a scrubbed environment. */
export function createCommandTarget(to: Connection, session: Session): PublishTarget {
  const lines = extraOf(to, 'command');
  return {
    prove: async () => null, // files have names only once built; missing secrets fail earlier
    items: (artifact) => [
      { artifact, name: artifact.name, url: `${shownAnywhere(asFolder(to.address))}${artifact.name}` },
    ],
    observe: (item) => observe(to, session, lines.observe, item),
    async upload(items) {
      for (const item of items) await upload(to, session, lines.upload, item);
    },
    source: async () => ({ address: to.address, credential: null }),
  };
}

async function observe(to: Connection, session: Session, line: string, item: Item): Promise<Observed> {
  const answer = join(session.folder, 'observed');
  // The answer goes to a file, not into the log: it is parsed, and it may be long.
  const argv = ['sh', '-eu', '-c', 'exec sh -eu -c "$1" > "$2"', 'sh', line, answer];
  const { code } = await session.exec(argv, await lineOptions(to, session, item));
  if (code === UNKNOWN) throw fail(observeUnknown(to.name, item.name, session.log.tail(EVIDENCE_LINES)));
  if (code !== 0) throw fail(observeFailed(to.name, item.name, code, session.log.tail(EVIDENCE_LINES)));
  const said = await answerIn(answer);
  if (said === 'absent') return { state: 'absent' };
  if (isDigest(said)) return { state: 'present', digest: said };
  throw fail(observeNotUnderstood(to.name, item.name, said.slice(0, LONGEST_ANSWER)));
}

/** The line may leave a link or a pipe under this name. A link could point at any file, and a pipe may never end. */
async function answerIn(path: string): Promise<string> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(LONGEST_ANSWER + 1), position: null });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch {
    return '';
  }
}

const lineOptions = async (to: Connection, session: Session, item: Item) => ({
  env: await environment(to, session, item),
  access: 'line' as const,
  folders: foldersAt(to.address),
});

async function upload(to: Connection, session: Session, line: string, item: Item): Promise<void> {
  session.log.write(`uploading ${item.name}\n`);
  const { code } = await session.exec(line, await lineOptions(to, session, item));
  if (code !== 0) throw fail(uploadFailed(to.name, item.name, code, session.log.tail(EVIDENCE_LINES)));
}

async function environment(to: Connection, session: Session, { artifact }: Item): Promise<Record<string, string>> {
  const folder = join(session.folder, 'upload', hexOf(artifact.digest));
  const path = join(folder, fileName(artifact.name));
  // An existing file is this artifact: its folder is named by digest, and the rename is atomic.
  const file = existsSync(path) ? path : await session.fetch(artifact, folder);
  return session.env({
    ...to.secrets,
    ...(to.username !== null && { USERNAME: to.username }),
    ...(to.password !== null && { PASSWORD: to.password }),
    FILE: file,
    NAME: artifact.name,
    VERSION: artifact.labels['version'] ?? to.version,
    SHA256: hexOf(artifact.digest),
    ADDRESS: to.address,
    ...lineVariables(extraOf(to, 'command').vars, { files: session.files }),
  });
}
