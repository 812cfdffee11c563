import { HEAD, problemsOf } from './a-plan.js';

/** Place, code and a piece of the message of each problem that a text has. */
const told = (text: string) =>
  problemsOf(text).map(
    ({ code, place, path, message }) =>
      `${place?.line ?? '-'}:${place?.column ?? '-'} ${code} ${path ?? ''}: ${message}`,
  );

const deps = `deps:\n  build: { requires: [x] }\n`;

test.each<[name: string, text: string, ...expected: RegExp[]]>([
  [
    'a misspelt key',
    `${HEAD}wheels:\n  skiff:\n    platfroms: [x]\n`,
    /^8:5 UNKNOWN_KEY wheels\.skiff\.platfroms: unknown key; did you mean "platforms"\?$/,
  ],
  [
    'a secret in plain text',
    `${HEAD}jars:\n  skiff: { sign: { key: $KEY, passphrase: hunter2 } }\n`,
    /WRONG_VALUE jars\.skiff\.sign\.passphrase: a secret is named, never written: \$NAME, file:.*command:what prints it$/,
  ],
  [
    'a numeric secret in plain text',
    `${HEAD}jars:\n  skiff: { sign: 4711 }\n`,
    /WRONG_VALUE jars\.skiff\.sign: a secret is named, never written: \$NAME, file:.*command:what prints it$/,
  ],
  [
    'a missing quote or bracket',
    `${HEAD}wheels: { skiff: { env: { A: a{b} }, needs: [x] } }\ntests: { x: { run: y } }\n`,
    /^6:31 YAML_INVALID/,
  ],
  ['an unknown section', `${HEAD}whells: {}\n`, /UNKNOWN_KEY whells: unknown key; did you mean "wheels"/],
  [
    'a numeric version',
    HEAD.replace("'1.0'", '1.0'),
    /^2:34 QUOTE_IT release\.version: 1\.0 is a number in YAML; quote it/,
  ],
  [
    'a Python as a number',
    HEAD.replace('cp311', '3.10'),
    /QUOTE_IT pythons\[0\]: 3\.10 is a number in YAML, which reads 3\.10 as 3\.1/,
  ],
  [
    'a Python of a wheel list as a number',
    `${HEAD}wheels:\n  list: { import: wheel-list, git: r, file: f, rows: [{ branch: main, for: { debian-12: [3.11] } }] }\n`,
    /QUOTE_IT wheels\.list\.rows\[0\]\.for\.debian-12\[0\]: 3\.11 is a number in YAML, which reads 3\.10 as 3\.1/,
  ],
  [
    'Pythons of a matrix as numbers',
    `${HEAD}wheels:\n  skiff: { matrix: { python: [cp311, 3.10] } }\n`,
    /^\d+:38 QUOTE_IT wheels\.skiff\.matrix\.python\[1\]: 3\.10 is a number in YAML, which reads 3\.10 as 3\.1/,
  ],
  [
    'Pythons of a matrix as quoted numbers',
    `${HEAD}wheels:\n  skiff: { matrix: { python: ['3.10'] } }\n`,
    /^\d+:31 WRONG_VALUE wheels\.skiff\.matrix\.python\[0\]: "3\.10": a Python is written as its tag/,
  ],
  [
    'one Python of a matrix, not in a list',
    `${HEAD}wheels:\n  skiff: { matrix: { python: 3.10 } }\n`,
    /WRONG_VALUE wheels\.skiff\.matrix\.python: expected a list, found 3\.10$/,
  ],
  [
    'numbers on an axis of its own',
    `${HEAD}wheels:\n  skiff: { matrix: { cuda: [12.10] } }\n`,
    /QUOTE_IT wheels\.skiff\.matrix\.cuda\[0\]: 12\.10 is a number in YAML; quote it/,
  ],
  [
    'a Python as text',
    HEAD.replace('cp311', 'python3'),
    /WRONG_VALUE pythons\[0\]: "python3": a Python is written as its tag/,
  ],
  [
    'a duration without a unit',
    `${HEAD}${deps}wheels:\n  skiff: { timeout: 30 }\n`,
    /QUOTE_IT wheels\.skiff\.timeout: 30 has no unit/,
  ],
  [
    'a timeout beyond the longest timer',
    `${HEAD}${deps}wheels:\n  skiff: { timeout: 30d }\n`,
    /WRONG_VALUE wheels\.skiff\.timeout: "30d": .*at most 24d/,
  ],
  [
    'a wrong builder',
    `${HEAD}wheels:\n  skiff: { builder: comand }\n`,
    /WRONG_VALUE wheels\.skiff\.builder: "comand" is none of .*did you mean "command"/,
  ],
  [
    'a text where a list belongs',
    `${HEAD}wheels:\n  skiff: { needs: deps/build }\n`,
    /WRONG_VALUE wheels\.skiff\.needs: expected a list, found "deps\/build"/,
  ],
  [
    'a name that leads to another folder',
    HEAD.replace('name: skiff', 'name: ../skiff'),
    /WRONG_VALUE release\.name: "\.\.\/skiff"/,
  ],
  [
    'an entry name that leads to another folder',
    `${HEAD}wheels:\n  '../skiff': {}\n`,
    /^7:3 WRONG_VALUE wheels\.\.\.\/skiff: "\.\.\/skiff"/,
  ],
  [
    'an overlay that leads to another folder',
    `${HEAD}wheels:\n  skiff: { overlay: ../x }\n`,
    /WRONG_VALUE wheels\.skiff\.overlay: "\.\.\/x"/,
  ],
  [
    'a gate without approvers and soak time',
    `${HEAD}gates: { ship: {} }\n`,
    /WRONG_VALUE gates\.ship: .*a gate waits for approvers, for a time, or for anybody/,
  ],
  [
    'a quorum above the number of keys',
    `${HEAD}gates: { ship: { approvers: { core: [smoke.py] }, quorum: 2 } }\n`,
    /WRONG_VALUE gates\.ship\.quorum: .*larger than the number of approvers/,
  ],
  [
    'an approver whose key is not beside the release file',
    `${HEAD}gates: { ship: { approvers: { core: [keys/a.pub] } } }\n`,
    /^6:\d+ \w+ gates\.ship\.approvers\.core\[0\]: .*keys\/a\.pub/,
  ],
  [
    'a gate before an unknown target',
    `${HEAD}gates: { ship: { for: 2h, before: [publish/pipy] } }\n`,
    /UNKNOWN_NEED gates\.ship\.before\[0\]: "publish\/pipy"/,
  ],
  ['an unknown word in a gate', `${HEAD}gates: { ship: { for: 2h, aprovers: {} } }\n`, /gates\.ship\.aprovers/],
  ['a key of the profile', `${HEAD}attest: {}\n`, /UNKNOWN_KEY attest/],
  [
    'a key that an import does not have',
    `${HEAD}tests:\n  x: { import: ray, files: [a], prefx: a }\n`,
    /UNKNOWN_KEY tests\.x\.prefx: .*did you mean "prefix"/,
  ],
  ['a missing key', `${HEAD}tests:\n  x: { expect: ok }\n`, /MISSING_KEY tests\.x: "run" is missing/],
  [
    'a cycle',
    `${HEAD}wheels:\n  a: { needs: [steps/b] }\nsteps:\n  b: { run: make, needs: [wheels/a] }\n`,
    /NEEDS_CYCLE .*steps\/b → wheels\/a → steps\/b/,
  ],
  [
    'a need of itself',
    `${HEAD}steps:\n  b: { run: make, needs: [steps/b] }\n`,
    /NEEDS_CYCLE steps\.b: .*steps\/b → steps\/b/,
  ],
  [
    'an unknown need',
    `${HEAD}${deps}wheels:\n  skiff: { needs: [deps/bild] }\n`,
    /^9:20 UNKNOWN_NEED wheels\.skiff\.needs\[0\]: "deps\/bild" .*did you mean "deps\/build"/,
  ],
  [
    'a pick without a match',
    `${HEAD}${deps}wheels:\n  skiff: { needs: ['deps/build[python=cp39]'] }\n`,
    /NEED_MATCHES_NOTHING/,
  ],
  [
    'zero variants',
    `${HEAD}wheels:\n  skiff: { exclude: [{ platform: linux-x86_64 }] }\n`,
    /ZERO_VARIANTS wheels\.skiff/,
  ],
  [
    'a Python that the release lacks',
    `${HEAD}${deps}wheels:\n  skiff: { pythons: [cp313], needs: [deps/build] }\n`,
    /ZERO_VARIANTS wheels\.skiff/,
  ],
  [
    'an empty list of Pythons',
    `${HEAD.replace(/pythons.*\n/, '')}wheels:\n  skiff: {}\n`,
    /ZERO_VARIANTS wheels\.skiff: .*names no pythons/,
  ],
  [
    'an unknown platform used twice',
    `${HEAD.replace('linux-x86_64', 'linux-x86')}wheels:\n  skiff: {}\n`,
    /^4:12 UNKNOWN_PLATFORM platforms\[0\]: "linux-x86"/,
  ],
  [
    'an unknown queue',
    `${HEAD}wheels:\n  skiff: { on: linux-x8664 }\n`,
    /UNKNOWN_QUEUE wheels\.skiff\.on: .*did you mean "linux-x86_64"/,
  ],
  [
    'a missing Dockerfile',
    `${HEAD}images:\n  x: { dockerfile: Dockerfil }\n`,
    /^7:20 BUNDLE_FILE_MISSING images\.x\.dockerfile: .*did you mean "Dockerfile"/,
  ],
  ['a missing overlay', `${HEAD}wheels:\n  skiff: { overlay: over }\n`, /BUNDLE_FILE_MISSING wheels\.skiff\.overlay/],
  [
    'a file that a command names',
    `${HEAD}wheels: { skiff: {} }\ntests:\n  t: { needs: [wheels/skiff], run: 'python {files}/smok.py', expect: ok }\n`,
    /BUNDLE_FILE_MISSING tests\.t\.run: "smok\.py" .*did you mean "smoke\.py"/,
  ],
  [
    'an unknown word in a text',
    `${HEAD}wheels: { skiff: {} }\ntests:\n  t: { needs: [wheels/skiff], run: x, expect: '{verson}' }\n`,
    /UNKNOWN_TEXT tests\.t\.expect: \{verson\} .*did you mean "version"/,
  ],
  ['a commit of an sdist', `${HEAD}steps:\n  t: { run: 'echo {commit}' }\n`, /UNKNOWN_TEXT steps\.t\.run: \{commit\}/],
  [
    'a test that proves nothing',
    `${HEAD}wheels: { skiff: {} }\ntests:\n  t: { needs: [wheels/skiff], run: x }\n`,
    /WRONG_VALUE tests\.t: .*exit code 0 alone is not a pass/,
  ],
  [
    'a test of nothing',
    `${HEAD}tests:\n  t: { run: x, expect: ok, in: image }\n`,
    /WRONG_VALUE tests\.t: .*nothing of images\//,
  ],
  [
    'a command builder without a command',
    `${HEAD}wheels:\n  skiff: { builder: command }\n`,
    /MISSING_KEY wheels\.skiff: "run" is missing/,
  ],
  [
    'a command besides a builder',
    `${HEAD}jars:\n  skiff: { run: make }\n`,
    /WRONG_VALUE jars\.skiff\.run: builder maven makes its own command/,
  ],
  [
    'a target that does not accept the kind',
    `${HEAD}jars: { skiff: {} }\npublish:\n  index: { kind: python, files: [jars/skiff] }\n`,
    /WRONG_VALUE publish\.index\.files: a python target does not take jars\/skiff/,
  ],
  [
    'a registry without a repository',
    `${HEAD}images: { x: {} }\npublish:\n  hub: { kind: oci, files: [images/x] }\n`,
    /MISSING_KEY publish\.hub: "repository" is missing/,
  ],
  [
    'a pointer to several',
    `${HEAD}images:\n  x: { matrix: { a: [b, c] }, tags: ['{a}'] }\npublish:\n  hub: { kind: oci, files: [images/x], repository: a/b }\npoint:\n  - { target: hub, name: latest, to: images/x }\n`,
    /POINT_NEEDS_ONE point\[0\]\.to: "images\/x" names 2/,
  ],
  [
    'the same tag twice',
    `${HEAD}images:\n  x: { matrix: { a: [b, c] } }\npublish:\n  hub: { kind: oci, files: [images/x], repository: a/b }\n`,
    /DUPLICATE_NAME publish\.hub: .*"a\/b:1\.0"/,
  ],
  [
    'a pointer at an unknown target',
    `${HEAD}images: { x: {} }\npublish:\n  hub: { kind: oci, files: [images/x], repository: a/b }\npoint:\n  - { target: hubb, name: latest, to: images/x }\n`,
    /UNKNOWN_NEED point\[0\]\.target: .*did you mean "hub"/,
  ],
  [
    'packages and a base',
    `${HEAD}bases: { b: { debian: bookworm } }\nwheels:\n  skiff: { packages: [libssl-dev], base: b }\n`,
    /WRONG_VALUE wheels\.skiff\.base/,
  ],
  [
    'an sdist from a commit',
    `${HEAD.replace(/sdist.*}/, 'git: . }')}sdists:\n  skiff: { from: source }\n`,
    /WRONG_VALUE sdists\.skiff\.from/,
  ],
  [
    'several mistakes',
    `${HEAD.replace("'1.0'", '1.0')}wheel: {}\njars:\n  x: { builder: gradle }\n`,
    /^2:34 QUOTE_IT/,
    /^6:1 UNKNOWN_KEY/,
    /^8:17 WRONG_VALUE/,
  ],
])('given %s, then the problem has its place and cause', (_, text, ...expected) => {
  const lines = told(text);
  expect(lines).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(pattern);
});

test('given a tab as indentation, then the next step is to indent with spaces', () => {
  expect(problemsOf(`${HEAD}wheels:\n\tskiff: {}\n`)).toMatchObject([
    { code: 'YAML_INVALID', next: expect.stringContaining('Indent with spaces') },
  ]);
});

test.each<[name: string, text: string, code: string]>([
  ['nothing', '', 'RELEASE_FILE_EMPTY'],
  ['a list', '- a\n', 'RELEASE_FILE_EMPTY'],
  ['a file beyond a mebibyte', HEAD + '#'.repeat(1_100_000), 'RELEASE_FILE_TOO_BIG'],
  ['5,000 brackets', `${HEAD}deps: ${'['.repeat(5000)}${']'.repeat(5000)}\n`, 'RELEASE_FILE_TOO_DEEP'],
  [
    '500 indents',
    `deps:\n${Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth + 1)}a:\n`).join('')}`,
    'RELEASE_FILE_TOO_DEEP',
  ],
  ['5,000 dashes', `deps:\n  ${'- '.repeat(5000)}a\n`, 'RELEASE_FILE_TOO_DEEP'],
  [
    'aliases that multiply',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(
      /./g,
      (name) =>
        `${name}: &${name} [${Array(9)
          .fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)
          .join(',')}]\n`,
    )}`,
    'YAML_ALIASES',
  ],
  ['a NUL byte', 'slipway: \u0000 1\n', 'RELEASE_FILE_BINARY'],
  ['bytes that were not UTF-8', 'slipway: \uFFFD\n', 'RELEASE_FILE_BINARY'],
  ['a brace too few', `${HEAD}wheels: { skiff: {\n`, 'YAML_INVALID'],
  ['the same key twice', `${HEAD}wheels: {}\nwheels: {}\n`, 'YAML_INVALID'],
  ['a name like a member of Object', `${HEAD}wheels:\n  __proto__: {}\n`, 'WRONG_VALUE'],
  ['an alias of nothing', `${HEAD}wheels: *x\n`, 'YAML_INVALID'],
])('given %s, then it is refused with a code and a place', (_, text, code) => {
  const [problem] = problemsOf(text);
  expect(problem).toMatchObject({ code, class: 'config', place: { file: 'slipway.yaml' } });
  expect(problem!.next).not.toBe('');
});
