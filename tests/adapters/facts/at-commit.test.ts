import { atCommit } from '../../../src/adapters/facts/at-commit.js';
import { parsedRelease } from '../../../src/adapters/facts/release-text.js';
import { NIGHT } from '../../support/a-line-of-commits.js';

const COMMIT = 'a'.repeat(40);
const file = parsedRelease({
  shown: 'slipway.yaml',
  text: `${NIGHT}standings: { branch: main }
wheels: { skiff: { from: { at: 'https://wheels.example/{branch}/{commit}/', take: main } } }
`,
});

test('given the commit of a comment, then the source alone is of it, taken wheels stay, and nothing is reported', () => {
  const given = { source: COMMIT, label: 'pr-1-c2' };
  const asked = atCommit(file, given);
  expect(asked.given).toBe(given);
  expect(asked.file.content).toEqual({
    ...Object.fromEntries(Object.entries(file.content).filter(([key]) => key !== 'standings')),
    ...{ source: { git: '..', commit: COMMIT }, reports: {} },
  });
});

test('given the commit of a bisect, then taken wheels are of it too', () => {
  expect(atCommit(file, { commit: COMMIT }).given).toEqual({ commit: COMMIT, wheels: { skiff: COMMIT } });
});

test('given no commit, then the file stays', () => {
  expect(atCommit(file, {})).toEqual({ file, given: {} });
});
