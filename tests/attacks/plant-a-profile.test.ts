import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { clusters } from '../../src/services/doctor/clusters.js';
import { readProfile } from '../../src/adapters/facts/profile.js';
import { newHome } from '../support/run-body.js';

/** Files that another user puts into a folder in which somebody types `slipway`. */
const PLANTED: Readonly<Record<string, (path: string) => void>> = {
  'a pipe that nobody writes to': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device without end': (path) => symlinkSync('/dev/zero', path),
};

test.each(Object.entries(PLANTED))(
  'given %s under the name of a profile, when a file there is planned, then it is refused',
  async (_, plant) => {
    const folder = await newHome();
    mkdirSync(join(folder, 'profiles'));
    plant(join(folder, 'profiles', 'local.yaml'));
    await expect(readProfile('local', folder)).rejects.toMatchObject({ first: { code: 'RELEASE_FILE_UNREADABLE' } });
  },
);

test('given a pipe under the name of a profile, when the doctor looks, then it does not wait', async () => {
  const folder = await newHome();
  mkdirSync(join(folder, 'profiles'));
  PLANTED['a pipe that nobody writes to']!(join(folder, 'profiles', 'evil.yaml'));
  expect(await clusters(folder)).toEqual([]);
});
