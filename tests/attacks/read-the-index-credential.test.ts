/** @needs tools */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formerFacts } from '../../src/adapters/facts/former.js';
import { plan, submit } from '../../src/adapters/facts/index.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { type PythonIndex, startPythonIndex } from '../doubles/python-index.js';
import { fakeSignatures } from '../support/sign-plan.js';

const CANARY = 'canary-1618';
const FILE = `
slipway: 1
pipeline: { name: boats, label: X1 }
platforms: { debian-12: { like: linux-x86_64, libc: '2.36' } }
wheels:
  asked: { import: wheel-list, wants: [skiff, oars], for: { debian-12: [cp311] } }
`;

const before = { ...process.env };
let folder: string;
let index: PythonIndex;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-canary-'));
  index = await startPythonIndex();
  for (const name of ['skiff', 'oars'])
    index.answer(name, ({ headers }, response) => {
      if (headers.authorization !== `Basic ${Buffer.from(`kim:${CANARY}`).toString('base64')}`)
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
      if (name === 'oars') return void response.writeHead(403).end();
      response.setHeader('content-type', 'text/html');
      response.end(`<a href="skiff-1.0.tar.gz#sha256=${'a'.repeat(64)}">skiff-1.0.tar.gz</a>`);
    });
  for (const name of Object.keys(process.env)) if (/^PIP_|_proxy$/i.test(name)) delete process.env[name];
  process.env['SLIPWAY_HOME'] = join(folder, 'home');
  process.env['HOME'] = folder;
  process.env['PIP_CONFIG_FILE'] = join(folder, 'pip.conf');
  mkdirSync(join(folder, 'release'));
  writeFileSync(join(folder, 'release', 'slipway.yaml'), FILE);
});
afterEach(async () => {
  process.env = { ...before };
  await index.stop();
  rmSync(folder, { recursive: true });
});

const WAYS: readonly (readonly [string, () => void])[] = [
  ['the address of the index', () => configure(index.address.replace('//', `//kim:${CANARY}@`))],
  [
    'netrc',
    () => {
      configure(index.address);
      writeFileSync(join(folder, '.netrc'), `machine 127.0.0.1 login kim password ${CANARY}\n`, { mode: 0o600 });
    },
  ],
];
const configure = (address: string): void =>
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url = ${address}\n`);

test.each(WAYS)(
  'given a password in %s, then no plan, fact, record or file holds it or the address, and the facts plan the same again',
  async (_, configured) => {
    configured();
    const file = join(folder, 'release', 'slipway.yaml');
    const store = createDirectoryStore(join(folder, 'store'));
    const submitted = await submit(file, 'local', { store, signatures: fakeSignatures });
    expect(submitted.plan.steps.map(({ id }) => id)).toContain('wheels/skiff-1.0/cp311/debian-12');
    const facts = await formerFacts(submitted.plan.imports!.facts, store);
    expect(facts.imports['wheels/asked']!.index['oars']).toMatchObject({ state: 'unanswered' });
    const written = execFileSync('grep', ['-ra', '.', join(folder, 'home'), join(folder, 'store')], {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });
    expect(written).toContain('skiff-1.0.tar.gz');
    for (const text of [JSON.stringify(submitted), JSON.stringify(facts), written]) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(new URL(index.address).host);
    }
    rmSync(join(folder, 'home'), { recursive: true });
    writeFileSync(join(folder, 'pip.conf'), '[global]\nno-index = true\n');
    expect((await plan(file, 'local', undefined, undefined, facts)).steps).toEqual(submitted.plan.steps);
  },
);
