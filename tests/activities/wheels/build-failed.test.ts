import { buildFailed } from '../../../src/activities/wheels/errors.js';

test.each([
  ['a missing header', 'a.c:1:10: fatal error: lber.h: No such file or directory', /misses lber\.h: .*`packages`/],
  ['a missing library', '/usr/bin/ld: cannot find -lldap', /misses libldap: .*`packages`/],
  [
    'a missing Python module',
    "ModuleNotFoundError: No module named 'numpy'",
    /needs the Python module numpy: .*`deps`/,
  ],
  [
    'a commit that is an unpacked sdist',
    "  Caused by: File skiff-1.0/PKG-INFO was already added from /src/PKG-INFO, can't overwrite with generated file",
    /`git rm PKG-INFO && git commit`/,
  ],
  ['another error', 'boom', /^Read the last lines/],
])('given a build that failed because of %s, then the next step says what to write', (_, line, next) => {
  expect(buildFailed('building skiff', 'uv build', 2, [line]).next).toMatch(next);
});
