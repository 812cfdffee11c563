/** @needs registries */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { packageRoot, toolsBin } from '../../../src/adapters/home.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { PLATFORM } from '../../activities/index/an-index.js';
import { putWheel } from '../../activities/index/a-sound-index.js';
import { type PythonIndex, startPythonIndex } from '../../doubles/python-index.js';
import { aDoor, type Door } from '../../support/a-door.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { startWheelIndex } from '../../support/registries.js';

let ours: Awaited<ReturnType<typeof startWheelIndex>>;
let upstream: PythonIndex;
/** Shut, it takes upstream off. */
let door: Door;
beforeAll(async () => {
  ours = await startWheelIndex(mkdtempSync(join(tmpdir(), 'slipway-ours-')));
  for (const name of ['skiff', 'keel']) await putWheel(ours.root, name, '1.0');
  await drawPages(openFolder('cache', ours.root), PLATFORM, ['skiff', 'keel']);
  upstream = await startPythonIndex();
  door = await aDoor(Number(new URL(upstream.address).port));
  const sdist = 'skiff-1.0.tar.gz';
  upstream.project('skiff', [{ filename: sdist, url: `../../files/${sdist}`, hashes: { sha256: 'a'.repeat(64) } }]);
  for (const project of ['oars', 'keel']) {
    const wheel = { project, version: '2.0', python: 'py3' };
    const [bytes, filename] = [await aWheel(wheel), wheelName(wheel)];
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    upstream.project(project, [{ filename, url: `../../files/${filename}`, hashes: { sha256 } }]);
    upstream.file(filename, (_, response) => void response.end(bytes));
  }
});
afterAll(async () => {
  door?.shut();
  await upstream?.stop();
  await ours?.stop();
});

/** The lines of docs/wheel-cache.md that install from an index of ours, as they are documented. */
const [PIP, UV, PIP_ALONE] = readFileSync(join(packageRoot(), 'docs', 'wheel-cache.md'), 'utf8')
  .split('\n')
  .filter((line) => /^(pip|uv pip) install .*NAME/.test(line))
  .map((line) => line.replace(/ +#.*/, '')) as [string, string, string];

interface Venv {
  /** Types a documented line in a shell. */
  install(line: string, ...names: readonly string[]): Promise<unknown>;
  /** Versions of installed projects. */
  versions(): Promise<Readonly<Record<string, string>>>;
}

/** A virtual environment without anything. Its user has upstream as the index of pip and uv. */
async function aVenv(): Promise<Venv> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-venv-'));
  const [venv, address] = [join(folder, 'venv'), `http://127.0.0.1:${door.port}/simple/`];
  const env = {
    ...{
      HOME: folder,
      PATH: `${toolsBin()}${delimiter}${process.env['PATH']}`,
      VIRTUAL_ENV: venv,
    },
    ...{
      PIP_PYTHON: venv,
      PIP_INDEX_URL: address,
      PIP_NO_CACHE_DIR: '1',
      PIP_RETRIES: '0',
    },
    ...{ UV_DEFAULT_INDEX: address, UV_NO_CACHE: '1', UV_NO_CONFIG: '1' },
  };
  const run = (program: string, ...args: readonly string[]) => promisify(execFile)(program, args, { env });
  await run('uv', 'venv', '--quiet', venv);
  const index = `${ours.address}${PLATFORM}/simple/`;
  return {
    install: (line, ...names) =>
      run('sh', '-c', line.replace(/http:\S+/, index).replace('NAME', names.map((name) => `'${name}'`).join(' '))),
    versions: async () => {
      const { stdout } = await run('uv', 'pip', 'list', '--format', 'json');
      const all = JSON.parse(stdout) as readonly {
        readonly name: string;
        readonly version: string;
      }[];
      return Object.fromEntries(all.map(({ name, version }) => [name, version]));
    },
  };
}

/** Wheels that were fetched from the index of ours. */
const fetchedHere = async (): Promise<readonly string[]> =>
  [...(await ours.accessLog()).matchAll(/ GET 200 "\S*\/([^/"]+\.whl)"/g)].map(([, file]) => file!);
const fetchedUpstream = (): number => upstream.asked.filter((one) => one === 'files').length;

test.each([
  ['pip', PIP],
  ['uv', UV],
])(
  'given a wheel that only we have and one that only upstream has, when %s installs by the documented line, then each comes from its index, and newer versions of upstream count',
  async (_, line) => {
    const [here, there] = [(await fetchedHere()).length, fetchedUpstream()];
    const venv = await aVenv();
    await venv.install(line, 'skiff==1.0', 'oars', 'keel');
    expect(await venv.versions()).toEqual({
      skiff: '1.0',
      oars: '2.0',
      keel: '2.0',
    });
    expect((await fetchedHere()).slice(here)).toEqual(['skiff-1.0-py3-none-any.whl']);
    expect(fetchedUpstream() - there).toBeGreaterThanOrEqual(2); // uv reads each wheel in pieces
  },
);

test('given uv without the documented strategy, then newer versions of upstream are hidden', async () => {
  const venv = await aVenv();
  await venv.install(UV.replace(/--index-strategy \S+/, ''), 'keel');
  expect(await venv.versions()).toEqual({ keel: '1.0' });
});

test('given that upstream is off, then the documented line installs what is listed here, and asks nobody else', async () => {
  const asked = upstream.asked.length;
  door.shut();
  const venv = await aVenv();
  await venv.install(PIP_ALONE, 'skiff', 'keel');
  expect(await venv.versions()).toEqual({ skiff: '1.0', keel: '1.0' });
  await expect(venv.install(PIP_ALONE, 'oars')).rejects.toThrow('No matching distribution found for oars');
  await door.open();
  expect(upstream.asked).toHaveLength(asked);
});
