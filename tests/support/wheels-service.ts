import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WHEELS_FOLDER } from '../../src/adapters/home.js';
import { newHome } from './run-body.js';
import { startWheelIndex } from './registries.js';

export type WheelsService = Awaited<ReturnType<typeof startWheelIndex>>;

/** Serves the static indexes of a home, as `slipway up` does with `service:wheels`. */
export async function wheelsService(home: string): Promise<WheelsService> {
  const index = await startWheelIndex(await newHome());
  symlinkSync(index.root, join(home, WHEELS_FOLDER));
  const services = { wheels: { pid: process.pid, address: index.address, log: '' } };
  const supervisor = { pid: process.pid, startedAt: new Date().toISOString() };
  writeFileSync(join(home, 'services.json'), JSON.stringify({ version: 1, supervisor, services }));
  return index;
}
