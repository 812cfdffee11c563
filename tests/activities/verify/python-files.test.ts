import type { Item } from '../../../src/activities/publish/ports.js';
import { othersAmong, releasesOf } from '../../../src/activities/verify/python-files.js';

const item = (name: string): Item => ({
  artifact: {
    kind: name.endsWith('.whl') ? 'wheel' : 'sdist',
    name,
    digest: `sha256:${'a'.repeat(64)}`,
    size: 1,
    labels: {},
  },
  name,
  url: `http://127.0.0.1:1/${name}`,
});

test('given spellings of one project, when its files are grouped, then they are one release', () => {
  const releases = releasesOf([
    item('sea_skiff-1.0-py3-none-any.whl'),
    item('Sea.Skiff-1.0.tar.gz'),
    item('raft-2.tar.gz'),
  ]);
  expect(releases.map(({ version, hasWheel, items }) => [version, hasWheel, items.length])).toEqual([
    ['1.0', true, 2],
    ['2', false, 1],
  ]);
});

test('given a requirement on the release itself in another spelling, then no index is asked for it', () => {
  const releases = releasesOf([item('sea_skiff-1.0-py3-none-any.whl')]);
  const lines = ['Sea-Skiff==1.0', 'sea.skiff[extra]>=1', 'sea-skiff-extra', 'numpy>=2; python_version > "3"', ''];
  expect(othersAmong(lines, releases)).toEqual(['sea-skiff-extra', 'numpy>=2; python_version > "3"']);
});
