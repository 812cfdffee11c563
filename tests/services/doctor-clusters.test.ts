import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clusters } from '../../src/services/doctor/clusters.js';
import { newHome } from '../support/run-body.js';

/** Answers as the dashboard of a Ray does, or as another server. */
async function serve(body: string): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((_, answer) => void answer.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function found(address: string) {
  const folder = await newHome();
  await mkdir(join(folder, 'profiles'));
  const text = `rehearsal: true\nclusters: { far: { address: '${address}' } }\n`;
  await writeFile(join(folder, 'profiles', 'night.yaml'), text);
  await writeFile(join(folder, 'profiles', 'broken.yaml'), 'rehearsal: perhaps\n');
  return clusters(folder);
}

test('given a profile with the address of a Ray that answers, then doctor has its version', async () => {
  const { address, close } = await serve('{"version": "4", "ray_version": "2.60.0"}');
  expect(await found(address)).toMatchObject([{ name: 'cluster far', ok: true, detail: `${address} Ray 2.60.0` }]);
  close();
});

test('given an address that nothing or another server answers at, then doctor says which and what to correct', async () => {
  const { address, close } = await serve('hello');
  expect(await found(address)).toMatchObject([
    { ok: false, detail: `${address} answers with HTTP 200 and is not a Ray` },
  ]);
  close();
  const mend = 'Start that Ray, or correct `clusters` of the profile night';
  expect(await found(address)).toMatchObject([{ ok: false, detail: `${address} does not answer`, mend }]);
});
