/** @needs tools */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askBindep } from '../../../src/adapters/facts/bindep/index.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-bindep-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BOOKWORM = { id: 'debian', version: '12', codename: 'bookworm' };
const TRIXIE = { id: 'debian', version: '13', codename: 'trixie' };
const ROCKY = { id: 'rocky', version: '9.4', codename: 'blue onyx' };

const TEXT = `# of all
gcc
libxml2-dev [platform:dpkg]
libxml2-devel [platform:rpm]
libre2-9 [platform:debian-12]
libre2-11 [platform:debian-13]
python3-dev [platform:base-py3 compile]
libvirt-dev [platform:dpkg compile] >=9.0
mysql-client [platform:dpkg test]
only-trixie [platform:trixie platform:debian-trixie]
never [platform:dpkg !platform:debian]
`;

test('given a bindep file and several distributions, then each has the packages that the rules of the file give it', async () => {
  const compile = { text: TEXT, profiles: ['compile'] };
  const [bookworm, trixie, rocky, tested] = await askBindep(
    [
      { ...compile, platform: BOOKWORM },
      { ...compile, platform: TRIXIE },
      { ...compile, platform: ROCKY },
      { text: TEXT, profiles: ['test'], platform: BOOKWORM },
    ],
    folder,
  );
  expect(bookworm).toEqual({ packages: ['gcc', 'libre2-9', 'libvirt-dev', 'libxml2-dev', 'python3-dev'], broken: [] });
  expect(trixie).toEqual({
    packages: ['gcc', 'libre2-11', 'libvirt-dev', 'libxml2-dev', 'only-trixie', 'python3-dev'],
    broken: [],
  });
  expect(rocky).toMatchObject({ packages: ['gcc', 'libxml2-devel', 'python3-dev'] });
  expect(tested).toMatchObject({ packages: ['gcc', 'libre2-9', 'libxml2-dev', 'mysql-client'] });
});

test('given lines that bindep does not take, then all are told with their numbers, and the other lines count', async () => {
  const text = 'gcc\r\n\r\nlibxml2-dev [platform:dpkg\r\nlibxslt-dev\r\n=broken\r\n';
  const answers = await askBindep([{ text, platform: BOOKWORM, profiles: ['compile'] }], folder);
  expect(answers).toEqual([
    {
      packages: ['gcc', 'libxslt-dev'],
      broken: [
        { line: 3, text: 'libxml2-dev [platform:dpkg' },
        { line: 5, text: '=broken' },
      ],
    },
  ]);
});

test('given a file that is no bindep file, then it names no packages, and its first broken lines are told', async () => {
  const text = `gcc\n${'<p>page</p>\n'.repeat(1000)}`;
  const [answer] = await askBindep([{ text, platform: BOOKWORM, profiles: ['compile'] }], folder);
  expect(answer!.packages).toEqual([]);
  expect(answer!.broken.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2));
});
