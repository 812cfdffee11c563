import { colours } from '../../src/cli/render/paint.js';
import { planLines } from '../../src/cli/screens/plan.js';
import type { Facts } from '../../src/plan/facts.js';
import { HEAD, idsOf, planOf, problemsOf, sha256 } from './a-plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';

const PIPELINE = (label: string): string =>
  HEAD.replace(/^release: .*$/m, `pipeline: { name: night, label: ${label} }`).replace(/^platforms: .*\n/m, '');
const COMMAND = `steps:\n  x: { run: 'true' }\n`;
const GIT = { commit: '0123456789abcdef'.repeat(3).slice(0, 40), branch: 'main', epoch: 0, files: {} };
const fromGit = (text: string): string => text.replace(/^source: .*$/m, 'source: { git: . }');

const labelOf = (label: string, facts: Partial<Facts> = {}): string =>
  planOf(`${fromGit(PIPELINE(label))}${COMMAND}`, { git: GIT, ...facts }).release.version;

describe('given a file with `pipeline:`', () => {
  test.each([
    ['date', '2026-11-22'],
    ['minute', '2026-11-22T0230Z'],
    ['commit', '0123456789ab'],
    ['nightly-2', 'nightly-2'],
    ['R7', 'R7'],
  ])('when its label is %s, then the planned label is %s', (label, planned) => {
    expect(labelOf(label)).toBe(planned);
  });

  test('when a label is given, then it replaces the label of the file, and the plan records it', () => {
    const made = planOf(`${PIPELINE('date')}${COMMAND}`, { given: { label: 'second-try' } });
    expect(made).toMatchObject({
      release: { name: 'night', version: 'second-try' },
      pipeline: true,
      given: { label: 'second-try' },
    });
  });

  test('when it builds a wheel, then the label is neither its required version nor a build parameter', () => {
    const [one, two] = ['R7', 'R8'].map((label) =>
      planOf(`${PIPELINE(label)}wheels: { x: { python: none } }\n`).steps.find(({ kind }) => kind === 'buildWheel'),
    );
    expect(one).toMatchObject({ params: { version: null } });
    expect(two).toEqual(one);
  });

  test('when a keyword is given as the label, then it means the same as in the file', () => {
    expect(labelOf('R7', { given: { label: 'date' } })).toBe('2026-11-22');
  });

  test('when it is planned at another time under the same label, then the plan is the same', () => {
    const plans = [0, 86_400_000].map((nowMs) => planOf(`${PIPELINE('R7')}${COMMAND}`, { nowMs }));
    expect(plans[0]).toEqual(plans[1]);
  });

  test('when it publishes nothing, then there is no seal and no attestation', () => {
    const made = planOf(`${PIPELINE('date')}${COMMAND}`);
    expect([...idsOf(made, 'seal'), ...idsOf(made, 'attest')]).toEqual([]);
    expect(idsOf(made, 'report')).toEqual(['report/run']);
  });

  test('when it publishes, then it seals as a release does', () => {
    const publish = `wheels: { skiff: {} }\npublish: { index: { kind: python, files: [wheels/skiff] } }\n`;
    const made = planOf(`${PIPELINE('R1')}deps: { build: { requires: [x] } }\n${publish}`);
    expect([...idsOf(made, 'seal'), ...idsOf(made, 'attest')]).toEqual(['seal/manifest', 'attest/release']);
  });

  test('when it names no platforms, then it uses the first platform with a known queue', () => {
    const made = planOf(`${PIPELINE('date')}wheels: { skiff: {} }\ndeps: { build: { requires: [x] } }\n${COMMAND}`);
    expect(idsOf(made, 'wheels')).toEqual(['wheels/skiff/cp311/linux-x86_64', 'wheels/skiff/cp312/linux-x86_64']);
    expect(made.steps.find(({ id }) => id === 'steps/x')?.on).toBe('linux-x86_64');
  });

  test('when its plan is printed, then the title says pipeline and not rehearsal', () => {
    const [title] = planLines(planOf(`${PIPELINE('R7')}${COMMAND}`), 'sha256:0', colours(false));
    expect(title).toMatch(/^night R7 from .*, profile local \(a pipeline\)$/);
  });

  test('when it is planned, then the skeleton marks it as a pipeline', () => {
    const made = planOf(`${PIPELINE('R7')}${COMMAND}`);
    expect(skeletonOf(made, sha256('plan'), {})).toMatchObject({ name: 'night', version: 'R7', pipeline: true });
  });
});

test('given a release, then its plan has no key `pipeline`', () => {
  expect(planOf(`${HEAD}${COMMAND}`)).not.toHaveProperty('pipeline');
});

describe('bad input', () => {
  const told = (text: string, facts: Partial<Facts> = {}): readonly string[] =>
    problemsOf(text, facts).map(
      ({ code, place, path, message }) => `${place?.line}:${place?.column} ${code} ${path ?? ''}: ${message}`,
    );

  test.each<[string, string, RegExp]>([
    [
      'both heads',
      `${HEAD}pipeline: { name: night, label: date }\n`,
      /^6:1 WRONG_VALUE pipeline: the file has both "release" and "pipeline"/,
    ],
    ['no head', HEAD.replace(/^release: .*\n/m, ''), /^1:1 MISSING_KEY : "release" is missing, and so is "pipeline"/],
    ['a release without platforms', HEAD.replace(/^platforms: .*\n/m, ''), /^1:1 MISSING_KEY : "platforms" is missing/],
    ['a label with a slash', PIPELINE('a/b'), /^2:33 WRONG_VALUE pipeline\.label: "a\/b": a label has at most/],
    ['a label of 300 characters', PIPELINE(`x${'1'.repeat(299)}`), /WRONG_VALUE pipeline\.label: .*at most 80/],
    ['a misspelt word', PIPELINE('dtae'), /WRONG_VALUE pipeline\.label: "dtae": a label is commit, date or minute, or/],
    ['a number', PIPELINE('7'), /QUOTE_IT pipeline\.label: 7 is a number in YAML/],
    ['no label', PIPELINE('date').replace(', label: date', ''), /MISSING_KEY pipeline: "label" is missing/],
    ['a label `commit` without a commit', PIPELINE('commit'), /^2:33 LABEL_WITHOUT_COMMIT pipeline\.label/],
    ['gates of nothing', `${PIPELINE('R1')}gates: { ship: { for: 2h } }\n`, /WRONG_VALUE gates: .*publishes nothing/],
  ])('given %s, then one problem with its place is reported', (_, text, expected) => {
    const found = told(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  test('given a label for a release, then it is refused', () => {
    expect(told(HEAD, { given: { label: 'R7' } })).toEqual([
      '2:1 LABEL_NOT_TAKEN release: the file describes a release, which has a version and takes no label "R7"',
    ]);
  });

  test('given no head and an unknown key, then both are reported at once', () => {
    const codes = problemsOf(`${HEAD.replace(/^release: .*\n/m, '')}whells: {}\n`).map(({ code }) => code);
    expect(codes).toEqual(['MISSING_KEY', 'UNKNOWN_KEY']);
  });
});
