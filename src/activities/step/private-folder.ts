import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER, removeTree, type Workspace } from './workspace.js';

/** Makes a folder that this user alone may open. `sweepWorkspaces` removes it if this worker dies. */
export function makePrivateFolder(home: string, group: string): Pick<Workspace, 'folder' | 'remove'> {
  const parent = join(home, 'work', group);
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${process.pid}-`));
  writeFileSync(join(folder, OWNER), String(process.pid));
  return { folder, remove: () => removeTree(folder) };
}
