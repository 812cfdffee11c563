import { HEAD, idsOf, planOf, problemsOf, stepOf } from '../../plan/a-plan.js';

const lockOf = (text: string, id: string) => stepOf(planOf(HEAD + text), id).params;

test('given {python.version} and {python.minor}, then they are filled in every text', () => {
  const text = `deps:
  base:
    in: ['req/{python.version}.in']
    constraints: ['req/limits-{python.minor}.txt']
    lock: locks/{python}-{python.version}.lock
    write: exact
    drift: bytes
    options: ['--python-version {python.version}', --no-strip-markers]
steps:
  t: { run: 'echo {python.version} {python.minor} {{python.version}}', matrix: { python: [cp312] } }
`;
  expect(lockOf(text, 'deps/base/cp311/linux-x86_64')).toMatchObject({
    in: ['req/3.11.in'],
    constraints: ['req/limits-11.txt'],
    lock: 'locks/cp311-3.11.lock',
    exact: true,
    bytes: true,
    drift: null,
    options: ['--python-version 3.11', '--no-strip-markers'],
  });
  expect(lockOf(text, 'steps/t/cp312')).toMatchObject({
    run: 'echo "${SLIPWAY_PYTHON_VERSION}" "${SLIPWAY_PYTHON_MINOR}" {python.version}',
    vars: { SLIPWAY_PYTHON_VERSION: '3.12', SLIPWAY_PYTHON_MINOR: '12' },
  });
});

test('given `platform: none` or `python: none`, then one lock is for all platforms or Pythons', () => {
  const plan = planOf(
    `${HEAD}deps:\n  a: { requires: [x], platform: none }\n  b: { requires: [x], python: none, platform: none }\n`,
  );
  expect(idsOf(plan, 'deps')).toEqual(['deps/a/cp311', 'deps/a/cp312', 'deps/b']);
});

test('given a lock without newer keys, then its parameters, and so its step key, are unchanged', () =>
  expect(Object.keys(lockOf(`deps: { a: { requires: [x] } }\n`, 'deps/a/cp311/linux-x86_64'))).toEqual([
    'name',
    'tool',
    'python',
    'for',
    'requires',
    'in',
    'constraints',
    'cutoff',
    'drift',
  ]));

describe('given a tool with a version', () => {
  const TEXT = `${HEAD}deps:\n  a: { requires: [x], tool: pip-tools==7.4.1, pip: '25.0', platform: none, options: [--strip-extras] }\n`;

  test('then a step locks it and its pip, and the lock needs that step', () => {
    const plan = planOf(TEXT);
    expect(idsOf(plan, 'deps')).toEqual(['deps/a-tool/cp311', 'deps/a-tool/cp312', 'deps/a/cp311', 'deps/a/cp312']);
    expect(stepOf(plan, 'deps/a-tool/cp311').params).toMatchObject({
      tool: 'uv',
      requires: ['pip-tools==7.4.1', 'pip==25.0'],
      toolOf: 'a',
    });
    expect(stepOf(plan, 'deps/a/cp311')).toMatchObject({
      needs: ['deps/a-tool/cp311'],
      params: { tool: 'pip-tools', version: '7.4.1' },
    });
    expect(stepOf(plan, 'prove/queue/linux-x86_64').params).not.toHaveProperty('options');
  });

  test.each([
    ['an entry with the name of its lock', `${TEXT}  a-tool: { requires: [y] }\n`, /Rename deps\.a-tool/],
    ['pip for uv', `${HEAD}deps: { a: { requires: [x], tool: uv==0.9.1, pip: '25.0' } }\n`, /Take `pip` away/],
    ['pip for the tool of the worker', `${HEAD}deps: { a: { requires: [x], pip: '25.0' } }\n`, /Take `pip` away/],
    ['relax with a version', `${HEAD}deps: { a: { in: [x.txt], tool: relax==1.0 } }\n`, /./],
  ])('and %s, then it is refused', (_, text, next) => {
    expect(problemsOf(text)).toEqual(
      expect.arrayContaining([expect.objectContaining({ next: expect.stringMatching(next) })]),
    );
  });
});

test('given locks with options, then each set of options is proven once on their queue', () => {
  const plan = planOf(`${HEAD}deps:
  a: { requires: [x], options: [--no-strip-markers], platform: none }
  b: { requires: [x], options: [--no-strip-markers], platform: none }
  c: { requires: [x], options: ['--unsafe-package ray'], platform: none }
`);
  expect(stepOf(plan, 'prove/queue/linux-x86_64').params).toMatchObject({
    options: [
      { tool: 'uv', options: ['--no-strip-markers'], of: ['a', 'b'] },
      { tool: 'uv', options: ['--unsafe-package ray'], of: ['c'] },
    ],
  });
});

test('given options that Slipway sets itself, then all are refused at once, each with the equivalent key', () => {
  const found = problemsOf(`${HEAD}deps:
  a:
    requires: [x]
    options:
      - --output-file x
      - --config-file=x
      - --python /usr/bin/python3
      - -c limits.txt
      - --find-links ../wheels
      - --index-url file:///srv
      - --no-header requirements.txt --all
      - requirements.txt
      - '--'
      - --help
`);
  expect(found.map(({ code, path, next }) => `${code} ${path} ${next}`)).toEqual([
    expect.stringMatching(/^LOCK_OPTION_OWNED deps\.a\.options\[0\] .*"lock"/),
    expect.stringMatching(/^LOCK_OPTION_OWNED deps\.a\.options\[1\] Take --config-file away\.$/),
    expect.stringMatching(/^LOCK_OPTION_OWNED deps\.a\.options\[2\] .*"pythons"/),
    expect.stringMatching(/^WRONG_VALUE deps\.a\.options\[3\] /),
    expect.stringMatching(/^LOCK_OPTION_OUTSIDE deps\.a\.options\[4\] /),
    expect.stringMatching(/^LOCK_OPTION_OUTSIDE deps\.a\.options\[5\] /),
    expect.stringMatching(/^WRONG_VALUE deps\.a\.options\[6\] /),
    expect.stringMatching(/^WRONG_VALUE deps\.a\.options\[7\] /),
    expect.stringMatching(/^WRONG_VALUE deps\.a\.options\[8\] /),
    expect.stringMatching(/^LOCK_OPTION_OWNED deps\.a\.options\[9\] /),
  ]);
  expect(found[0]!.place).toMatchObject({ line: 10 });
});

test.each([
  [
    'two locks for one file',
    `deps: { a: { requires: [x], lock: l }, b: { requires: [x], lock: l } }\n`,
    /^LOCK_TWO_WRITERS deps\.\w\.lock/,
  ],
  ['one file for two Pythons', `deps: { a: { requires: [x], lock: l } }\n`, /^LOCK_TWO_WRITERS deps\.a\.lock/],
  ['bytes of no file', `deps: { a: { requires: [x], drift: bytes } }\n`, /^WRONG_VALUE deps\.a\.drift/],
  [
    'bytes of a plain lock',
    `deps: { a: { requires: [x], lock: 'l{python}', drift: bytes } }\n`,
    /^WRONG_VALUE deps\.a\.drift/,
  ],
  ['a lock outside the source', `deps: { a: { requires: [x], lock: ../l } }\n`, /^WRONG_VALUE deps\.a\.lock/],
  [
    'a word that Pythons have not',
    `deps: { a: { requires: [x], lock: '{python.micro}' } }\n`,
    /^UNKNOWN_TEXT deps\.a\.lock/,
  ],
  ['relax of two locks', `deps: { a: { tool: relax, in: [a, b], without: [x] } }\n`, /^WRONG_VALUE deps\.a\.tool/],
  [
    'packages that uv should take out',
    `deps: { a: { requires: [x], without: [x] } }\n`,
    /^WRONG_VALUE deps\.a\.without/,
  ],
  ['options of relax', `deps: { a: { tool: relax, in: [a], options: [--x] } }\n`, /^WRONG_VALUE deps\.a\.options/],
])('given %s, then it is refused', (_, text, expected) =>
  expect(problemsOf(HEAD + text).map(({ code, path }) => `${code} ${path}`)[0]).toMatch(expected),
);
