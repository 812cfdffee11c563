import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WISHES } from '../../src/services/free-ports.js';
import { portsFile } from '../../src/services/folders.js';

/** A home of its own, on ports that nobody else wishes for. */
export async function aHome(): Promise<{ home: string; env: NodeJS.ProcessEnv; remove: () => void }> {
  const home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
  const ports: Record<string, number> = {};
  for (const name of Object.keys(WISHES)) ports[name] = await aFreePort();
  writeFileSync(portsFile(home), JSON.stringify(ports));
  const env = { ...process.env, SLIPWAY_HOME: home };
  return { home, env, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}

export const aFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
