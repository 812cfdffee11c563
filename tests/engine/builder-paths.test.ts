import { judgePaths } from '../../src/engine/checks/builder-paths.js';

const hit = (member: string) => [{ member, in: 'text' as const, line: 16, path: '<source tree>#skiff@1.0' }];

test.each([
  ['skiff-1.0.dist-info/sboms/skiff.cyclonedx.json', 'note', 'SOURCE_PATH'],
  ['skiff/sboms/skiff.json', 'error', 'BUILDER_PATH'],
  ['skiff-1.0.dist-info/direct_url.json', 'error', 'BUILDER_PATH'],
])('given %s that names a folder of the build, then the finding is a %s with code %s', (member, level, code) => {
  expect(judgePaths(hit(member))).toMatchObject([{ level, code, subject: member }]);
});
