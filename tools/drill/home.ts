import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, lives, type Identity } from '#slipway/adapters/process/identity.js';
import { fail } from '#slipway/model/failure.js';
import { KINDS } from '#slipway/model/kinds.js';
import type { Result } from '#slipway/model/result.js';
import type { Store } from '#slipway/activities/ports.js';
import { readJson, writeJson } from '#slipway/services/files.js';
import { accessLogFile } from '#slipway/services/folders.js';
import { takeQuietPorts } from '#slipway/services/free-ports.js';
import { down } from '#slipway/services/down.js';
import { drillUnderWay } from './errors.js';

/** Names the process that drills here. */
const ownerFile = (home: string): string => join(home, 'drill.json');
/** Folders shared with the parent home: downloads, which are immutable. */
const SHARED = ['cache'];
/** Folders that a reset empties: the registries, and the server with its runs, one of which may still be open. */
const EMPTIED = ['devpi', 'maven', 'registry', 'temporal'];
export const ACCESS_LOGS = ['index', 'maven', 'registry'] as const;

/** Creates the home of one drill: own store, services and registries. Ends whatever an earlier drill left there. Throws
 * DRILL_UNDER_WAY.
 * @returns its folder */
export async function makeHome(parent: string): Promise<string> {
  const home = join(parent, 'drill');
  const owner = readJson<Identity>(ownerFile(home));
  if (owner !== null && lives(owner)) throw fail(drillUnderWay(owner.pid));
  await removeHome(home);
  mkdirSync(home, { recursive: true });
  writeJson(ownerFile(home), identityOf(process.pid));
  for (const name of SHARED) {
    mkdirSync(join(parent, name), { recursive: true });
    symlinkSync(join(parent, name), join(home, name));
  }
  await takeQuietPorts(home);
  return home;
}

export async function removeHome(home: string): Promise<void> {
  await down(home, () => undefined);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Stages whose results depend on registries. */
const OUTSIDE: ReadonlySet<string> = new Set(['publish', 'verify', 'point']);

/** Empties registries and server and forgets what was published; all services must be down. Build results stay cached,
 * except `anew`.
 * @param anew steps that must run again */
export async function reset(home: string, store: Store, anew: ReadonlySet<string>): Promise<void> {
  for (const name of EMPTIED) rmSync(join(home, name), { recursive: true, force: true });
  for (const name of ACCESS_LOGS) rmSync(accessLogFile(home, name), { force: true });
  rmSync(join(home, 'store', 'records', 'ledger'), { recursive: true, force: true });
  for (const name of await store.list('known/')) {
    const known = await store.read<Result>(name);
    if (known !== null && (OUTSIDE.has(KINDS[known.kind].stage) || anew.has(known.step)))
      await store.setAside(name, known);
  }
}
