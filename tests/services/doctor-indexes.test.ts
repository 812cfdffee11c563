/** @needs tools */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { askIndexes } from '../../src/services/doctor/indexes.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ONE = 'http://127.0.0.1:1/simple/';
const OTHER = 'http://127.0.0.1:2/simple/';
const SAME = 'the same';
const UV = 'uv is configured for another index than pip';
const STEPS = 'a file of settings names another index for pip; builds and tests read no such file';

/** Given files of settings below a home, and variables. */
const asked = async (files: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>) => {
  const home = mkdtempSync(join(folder, 'home-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const plain = Object.entries(process.env).filter(([name]) => !/^(PIP|UV|XDG)_/.test(name));
  const env = { ...Object.fromEntries(plain), HOME: home, ...variables };
  const { ok, detail, mend } = await askIndexes({ env });
  expect(mend === '').toBe(ok);
  return detail;
};

const PIP = { '.config/pip/pip.conf': `[global]\nindex-url = ${ONE}\n` };
const PIP_AND_MORE = { '.config/pip/pip.conf': `[global]\nextra-index-url = ${OTHER}\n` };
const UV_TOML = { '.config/uv/uv.toml': `[[index]]\nurl = "${ONE}"\ndefault = true\n` };

test.each<readonly [string, Record<string, string>, Record<string, string>, string]>([
  ['nothing', {}, {}, SAME],
  ['one address for both', {}, { PIP_INDEX_URL: ONE, UV_DEFAULT_INDEX: ONE }, SAME],
  [
    'the same address with another password',
    {},
    { PIP_INDEX_URL: ONE.replace('//', '//kim:a@'), UV_DEFAULT_INDEX: ONE.replace('//', '//kim:b@') },
    SAME,
  ],
  ['an address for pip only', {}, { PIP_INDEX_URL: ONE }, UV],
  ['an address for uv only', UV_TOML, {}, UV],
  ['files of both, which builds do not read', { ...PIP, ...UV_TOML }, {}, STEPS],
  ['files of both, and the same for builds', { ...PIP, ...UV_TOML }, { PIP_INDEX_URL: ONE }, SAME],
  ['one more index of pip', PIP_AND_MORE, {}, "the same; planning asks 1 more of pip's, builds do not"],
])('given %s, then the doctor says whether pip, steps and uv ask one index', async (_, files, variables, told) => {
  expect(await asked(files, variables)).toBe(told);
});
