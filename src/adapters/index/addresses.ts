import { join } from 'node:path';
import type { Connection, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { toolsBin } from '../home.js';
import { targetNameUnknown, targetNotUnderstood } from '../http/errors.js';
import { done, shown, type Reader } from '../http/request.js';
import { ACCEPT } from './simple-page.js';

export const isAddress = (address: string): boolean => /^https?:\/\//.test(address);
export const asFolder = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

const ASK_TWINE = `
import sys
from twine import utils
print(utils.get_repository_from_config(utils.DEFAULT_CONFIG_FILE, sys.argv[1])['repository'])
`;

/** Where uploads go: the address itself, or what twine knows under that name. */
export async function uploadAddress(to: Connection, session: Session): Promise<string> {
  if (isAddress(to.address)) return asFolder(to.address);
  const python = join(toolsBin(), 'python');
  try {
    return asFolder((await session.capture([python, '-c', ASK_TWINE, to.address])).trim());
  } catch (error) {
    if (session.signal.aborted) throw error;
    throw fail(targetNameUnknown(to.name, to.address), error);
  }
}

/** The simple index that belongs to an upload address: devpi reads at `+simple/`, others at `simple/` in the same folder
 * or the one above, some on the host without `upload.` in front. */
export async function findSimple(reader: Reader, target: string, upload: string): Promise<string> {
  for (const url of candidates(upload)) {
    const response = await reader.read(url, { method: 'HEAD', headers: { accept: ACCEPT } });
    await done(response);
    if (response.ok) return url;
  }
  throw fail(targetNotUnderstood(target, shown(upload), 'a Python index'));
}

export function candidates(upload: string): readonly string[] {
  const near = ['+simple/', 'simple/', '../simple/'].map((page) => new URL(page, upload).href);
  const sibling = new URL('../simple/', upload);
  sibling.host = sibling.host.replace(/^upload\./, '');
  return [...new Set(sibling.host === new URL(upload).host ? near : [sibling.href, ...near])];
}
