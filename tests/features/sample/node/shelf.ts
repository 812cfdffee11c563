import { join } from 'node:path';
import type { Connection, PublishTarget, Session } from '../../../activities/publish/ports.js';
import { openFolder } from '../../../adapters/static-index/folder.js';
import { extraOf } from '../../../adapters/target-extra.js';

/** A folder of this machine. Each file is written once and read back. */
export function openShelf(to: Connection, session: Session): PublishTarget {
  const folder = openFolder(to.name, to.address);
  const { shelf } = extraOf(to, 'shelf');
  return {
    prove: async () => null,
    items: (artifact) => [{ artifact, name: artifact.name, url: join(to.address, shelf, artifact.name) }],
    async observe({ name }) {
      const digest = await folder.digest(join(shelf, name));
      return digest === null ? { state: 'absent' } : { state: 'present', digest };
    },
    async upload(items) {
      for (const { artifact, name } of items)
        await folder.createFile(join(shelf, name), await session.fetch(artifact, session.folder));
    },
    source: async () => ({ address: to.address, credential: null }),
  };
}
