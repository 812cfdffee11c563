import { rowSentence } from '../../src/engine/why/rows.js';
import { countsOf } from '../../src/model/rows.js';
import { HEAD, imported, told, withTests } from './ray-files.js';

const FILES = withTests(`${HEAD}- name: calm
- name: rough
  stable: false
  frequency: weekly
  smoke_test: { frequency: monthly }
- name: far
  env: kuberay
- name: 'many=1'
  team: data
`);

type Asked = Parameters<typeof imported>;
const sentencesOf = (...[said, chosen, states]: [Asked[1]?, Asked[2]?, Asked[3]?]): readonly string[] => {
  const { rows, findings } = imported(FILES, { clusters: { aws: 'one', kuberay: 'drop' }, ...said }, chosen, states);
  expect(findings).toEqual([]);
  return rows!.map(rowSentence);
};

const TAKEN = 'calm: taken: it is tests/calm (release/release_tests.yaml:7)';

test('given no choice, then each test has a row with its entry, and a dropped environment leaves its tests out', () => {
  expect(sentencesOf()).toEqual([
    TAKEN,
    'rough: taken: it is tests/rough (release/release_tests.yaml:8)',
    'far: left out: its environment is kuberay, which is dropped (release/release_tests.yaml:12)',
    expect.stringMatching(/^many=1: taken: it is tests\/many_1-[0-9a-f]{8} \(release\/release_tests.yaml:14\)$/),
  ]);
});

test.each<[string, Asked[1], Asked[2], string]>([
  [
    'a frequency',
    { where: { frequency: 'nightly' } },
    {},
    'its frequency is weekly, its smoke test monthly, and nightly is wanted',
  ],
  [
    'a frequency of the command',
    {},
    { frequency: 'nightly' },
    'its frequency is weekly, its smoke test monthly, and nightly is wanted',
  ],
  [
    'a filter',
    { where: { match: ['name:calm', 'name:many'] } },
    {},
    'its name is "rough", and the filter name:calm or name:many is not met',
  ],
  [
    'an absent attribute',
    { where: { match: ['stable:$'] } },
    {},
    'its stable is "false", and the filter stable:$ is not met',
  ],
  ['unstable: skip', { where: { unstable: 'skip' } }, {}, 'its stable is false, and where.unstable is skip'],
  ['--only', {}, { only: ['tests/calm'] }, '--only does not name it'],
])('given %s, when a test is left out, then its row says why', (_, said, chosen, reason) => {
  const sentences = sentencesOf(said, chosen);
  expect(sentences[0]).toBe(TAKEN);
  expect(sentences[1]).toBe(`rough: left out: ${reason} (release/release_tests.yaml:8)`);
});

describe('states after the last night', () => {
  const states = { 'tests/rough': ['jailed', 'passing'], 'tests/calm': ['flaky'] } as const;

  test('given jailed: skip, then a jailed test is left out', () => {
    const [calm, rough] = sentencesOf({ where: { jailed: 'skip' } }, {}, states);
    expect(calm).toBe(TAKEN);
    expect(rough).toContain('rough: left out: it is jailed, and where.jailed is skip');
  });

  test('given the filter state:jailed, then only jailed tests are taken', () => {
    const sentences = sentencesOf({}, { where: ['state:jailed'] }, states);
    expect(sentences.filter((one) => one.includes(': taken:'))).toEqual([
      'rough: taken: it is tests/rough (release/release_tests.yaml:8)',
    ]);
    expect(sentences[0]).toContain('its state is "flaky", and the filter state:jailed is not met');
  });

  test('given no night yet, then jailed: skip leaves nothing out', () => {
    expect(sentencesOf({ where: { jailed: 'skip' } }, {}, {})[1]).toContain('rough: taken');
  });

  test.each([[{ jailed: 'skip' as const }], [{ match: ['state:jailed'] }]])(
    'given a file without standings, when %j chooses by state, then it is refused',
    (where) => {
      const { findings } = imported(FILES, { clusters: { aws: 'one', kuberay: 'drop' }, where });
      expect(findings.map(told)).toEqual([expect.stringContaining('RAY_TESTS_NO_STANDINGS')]);
    },
  );

  test('given a change, when its filter names a state, then it is refused: changes are made before states are known', () => {
    const { findings } = imported(FILES, { change: [{ match: ['state:jailed'], set: { team: 'x' } }] });
    expect(findings.map(told).join()).toContain('no release test has the attribute "state"');
  });
});

test('given rows, then counts are by verdict and rule, in order of their names', () => {
  const { rows } = imported(FILES, { clusters: { aws: 'one', kuberay: 'drop' }, where: { frequency: 'nightly' } });
  expect(countsOf(rows!)).toEqual({
    'left out by clusters.kuberay: drop': 1,
    'left out by the frequency nightly': 1,
    taken: 2,
  });
});
