/** @needs python */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packZip, type ZipMember } from '../../../src/adapters/archive/zip-pack.js';
import { newHome } from '../../support/run-body.js';

const CHECK = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps({i.filename: z.read(i).decode() for i in z.infolist()}))
`;

test('given members, then another reader finds each one whole, and the same members give the same bytes', async () => {
  const folder = await newHome();
  writeFileSync(join(folder, 'long'), 'a line\n'.repeat(50_000));
  const members: readonly ZipMember[] = [
    { name: 'org/example/skiff.jar', from: { path: join(folder, 'long') } },
    { name: 'org/example/skiff.jar.md5', from: { text: 'abc' } },
    { name: 'org/exämple/empty', from: { text: '' } },
  ];
  const [one, two] = [join(folder, 'one.zip'), join(folder, 'two.zip')];
  await packZip(one, members, 1_700_000_000);
  await packZip(two, members, 1_700_000_000);
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  expect(JSON.parse(execFileSync('python3', ['-c', CHECK, one], { encoding: 'utf8' }))).toEqual({
    'org/example/skiff.jar': 'a line\n'.repeat(50_000),
    'org/example/skiff.jar.md5': 'abc',
    'org/exämple/empty': '',
  });
});
