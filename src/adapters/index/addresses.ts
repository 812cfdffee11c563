import { join } from 'node:path';
import type { Connection, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { toolsBin } from '../home.js';
import { targetNameUnknown } from '../http/errors.js';
import { done, shown, type Reader } from '../http/request.js';
import { indexNotFound } from './errors.js';
import { ACCEPT } from './simple-page.js';

export const isAddress = (address: string): boolean => /^https?:\/\//.test(address);
export const asFolder = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

const ASK_TWINE = `
import sys
from twine import utils
print(utils.get_repository_from_config(utils.DEFAULT_CONFIG_FILE, sys.argv[1])['repository'])
try:
    from pip._internal.models.index import PyPI, TestPyPI
    print({'pypi': PyPI, 'testpypi': TestPyPI}[sys.argv[1]].simple_url)
except (ImportError, KeyError):
    print()
`;

export interface IndexAddresses {
  readonly upload: string;
  /** Null: found relative to the upload address. */
  readonly simple: string | null;
}

/** Returns the addresses of a target. A name is resolved by twine; the profile's `reads` overrides the read address. */
export async function indexAddresses(to: Connection, session: Session): Promise<IndexAddresses> {
  const reads = to.extra?.kind === 'python' ? asFolder(to.extra.reads) : null;
  if (isAddress(to.address)) return { upload: asFolder(to.address), simple: reads };
  const python = join(toolsBin(), 'python');
  try {
    const [upload = '', simple = ''] = (await session.capture([python, '-c', ASK_TWINE, to.address])).split('\n');
    return {
      upload: asFolder(upload.trim()),
      simple: reads ?? (simple.trim() === '' ? null : asFolder(simple.trim())),
    };
  } catch (error) {
    if (session.signal.aborted) throw error;
    throw fail(targetNameUnknown(to.name, to.address), error);
  }
}

/** Returns the address of a target's simple index. Without a configured one, tries `+simple/` (devpi), then
 * `simple/` in the upload folder or the one above. */
export async function findSimple(reader: Reader, target: string, { upload, simple }: IndexAddresses): Promise<string> {
  for (const url of simple === null ? candidates(upload) : [simple]) {
    const response = await reader.read(url, { method: 'HEAD', headers: { accept: ACCEPT } });
    await done(response);
    if (response.ok) return url;
  }
  throw fail(indexNotFound(target, shown(simple ?? upload)));
}

export const candidates = (upload: string): readonly string[] =>
  ['+simple/', 'simple/', '../simple/'].map((page) => new URL(page, upload).href);
