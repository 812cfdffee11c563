import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WISHES } from '../../src/services/free-ports.js';
import { portsFile } from '../../src/services/folders.js';
import { freePort } from '../support/free-port.js';

/** A home of its own, on ports that nobody else wishes for. */
export async function aHome(): Promise<{ home: string; env: NodeJS.ProcessEnv; remove: () => void }> {
  const home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
  const ports: Record<string, number> = {};
  for (const name of Object.keys(WISHES)) ports[name] = await freePort();
  writeFileSync(portsFile(home), JSON.stringify(ports));
  const env = { ...process.env, SLIPWAY_HOME: home };
  return { home, env, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}
