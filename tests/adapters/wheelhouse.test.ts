/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWheelhouse } from '../../src/adapters/wheelhouse/read-wheelhouse.js';
import { removeWheel } from '../../src/adapters/wheelhouse/remove-wheel.js';
import type { Wheelhouse } from '../../src/model/folder-prune.js';
import { sha256 } from '../../src/adapters/sha256.js';
import { aWheel } from '../support/a-wheel.js';
import { codesOf } from '../activities/publish/release.js';

const NAME = 'boat-1.0-py3-none-any.whl';
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-house-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = () => aWheel({ project: 'boat', version: '1.0', python: 'py3' });
const put = (path: string, content: Buffer | string): void => writeFileSync(join(root, path), content);
const leftIn = ({ left }: Wheelhouse): Readonly<Record<string, string>> =>
  Object.fromEntries(left.map(({ folder, file, because }) => [`${folder}/${file}`, because]));

test('given wheels in a folder and below it, then each has its digest, size and time', async () => {
  const content = await bytes();
  put(NAME, content);
  mkdirSync(join(root, 'old/2024'), { recursive: true });
  put(`old/2024/${NAME}`, content);
  const { path, wheels, left } = await readWheelhouse(root);
  expect([path, left]).toEqual([root, []]);
  expect(wheels.map(({ folder, file, size, fault }) => [folder, file, size, fault])).toEqual([
    ['.', NAME, content.length, null],
    ['old/2024', NAME, content.length, null],
  ]);
  expect(new Set(wheels.map(({ digest }) => digest)).size).toBe(1);
  expect(Date.now() - Date.parse(wheels[0]!.changedAt)).toBeLessThan(3_600_000);
});

test('given links, pipes and names that are no wheels, then none of them is opened or followed, and each has its reason', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'slipway-elsewhere-'));
  writeFileSync(join(elsewhere, NAME), await bytes());
  symlinkSync(join(elsewhere, NAME), join(root, NAME));
  symlinkSync(elsewhere, join(root, 'below'));
  symlinkSync(root, join(root, 'loop'));
  execFileSync('mkfifo', [join(root, 'oars-1.0-py3-none-any.whl')]);
  put('hull-1.0-py3-none-any.whl\nslipway: all is well.whl', 'x');
  put('-rf-1.0-py3-none-any.whl', 'x');
  put('README', 'x');
  put('mast-1.0-py3-none-any.whl', 'x');
  put('mast-1.0-py3-none-any.whl.intoto.json', '{}');
  const house = await readWheelhouse(root);
  expect(house.wheels).toEqual([]);
  expect(leftIn(house)).toEqual({
    [`./${NAME}`]: 'it is a link or a special file',
    './below': 'it is a link or a special file',
    './loop': 'it is a link or a special file',
    './oars-1.0-py3-none-any.whl': 'it is a link or a special file',
    './hull-1.0-py3-none-any.whl\nslipway: all is well.whl': 'its name is no wheel',
    './-rf-1.0-py3-none-any.whl': 'its name is no wheel',
    './README': 'its name is no wheel',
    './mast-1.0-py3-none-any.whl': 'an index of Slipway holds it: prune the index',
    './mast-1.0-py3-none-any.whl.intoto.json': 'its name is no wheel',
  });
  expect(readdirSync(elsewhere)).toEqual([NAME]);
});

const CUT = 'it is no zip archive, or it is cut off';
test.each<[string, (content: Buffer) => Buffer | string, string | null]>([
  ['whole', (content) => content, null],
  ['empty', () => '', CUT],
  ['a text', () => 'not a wheel', CUT],
  ['cut off in the middle', (content) => content.subarray(0, content.length / 2), CUT],
  ['cut off by one byte', (content) => content.subarray(0, -1), CUT],
  ['its last record alone', (content) => content.subarray(-22), CUT],
  [
    'an archive without files',
    () => Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]),
    'it is an empty zip archive',
  ],
  ['longer by a comment', (content) => Buffer.concat([content, Buffer.from('more')]), null],
])('given a file that is %s, then its archive is judged', async (_what, change, fault) => {
  put(NAME, change(await bytes()));
  const { wheels } = await readWheelhouse(root);
  expect(wheels.map((one) => one.fault)).toEqual([fault]);
});

test('given 10,000 files, then all are read', async () => {
  for (let at = 0; at < 10_000; at += 1) put(`boat-${at}-py3-none-any.whl`, `${at}`);
  const { wheels } = await readWheelhouse(root);
  expect(new Set(wheels.map(({ digest }) => digest)).size).toBe(10_000);
});

test('given a folder that is absent, then the failure is coded', async () => {
  expect(await readWheelhouse(join(root, 'nowhere')).catch(codesOf)).toEqual(['WHEELHOUSE_UNREADABLE']);
});

describe('given a wheel to remove', () => {
  const one = { folder: 'sub', file: NAME, digest: sha256('wheel') };
  beforeEach(() => {
    mkdirSync(join(root, 'sub'));
    put(`sub/${NAME}`, 'wheel');
  });

  test('then it is gone', async () => {
    expect(await removeWheel(root, one)).toBeNull();
    expect(readdirSync(join(root, 'sub'))).toEqual([]);
  });

  test.each<[string, () => void, RegExp]>([
    ['other bytes', () => put(`sub/${NAME}`, 'other'), /other bytes/],
    [
      'a link in its place',
      () => {
        rmSync(join(root, `sub/${NAME}`));
        put('target', 'wheel');
        symlinkSync(join(root, 'target'), join(root, `sub/${NAME}`));
      },
      /ELOOP/,
    ],
    [
      'a link in place of its folder',
      () => {
        rmSync(join(root, 'sub'), { recursive: true });
        mkdirSync(join(root, 'other'));
        put(`other/${NAME}`, 'wheel');
        symlinkSync(join(root, 'other'), join(root, 'sub'));
      },
      /a link leads/,
    ],
    ['no file any more', () => rmSync(join(root, `sub/${NAME}`)), /ENOENT/],
  ])('when there is %s, then nothing is removed', async (_what, change, why) => {
    change();
    const before = readdirSync(root, { recursive: true });
    expect(await removeWheel(root, one)).toMatch(why);
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });
});
