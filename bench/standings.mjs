import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { costOf, inTurn, middle } from './measure.mjs';
import { atMost, ratioAtMost, row } from './rows.mjs';

const TESTS = 433;
const NIGHTS = 365;
const DAY_MS = 86_400_000;
const CHAIN = { pipeline: 'night', profile: 'local', branch: 'main' };
const POLICY = {
  ...{ branch: 'main', jail: { after: 3, forMs: 14 * DAY_MS }, flaky: { of: 30, share: 7, calm: 10 } },
  infraCounts: false,
};
const FILE = `slipway: 1
pipeline: { name: night, label: date }
source: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} }
platforms: [linux-x86_64]
pythons: [cp311]
deps: { ray: { requires: ['ray[default]'] } }
clusters: { one: { manager: local } }
tests: { spread: { needs: [deps/ray], cluster: one, run: 'true' } }
standings: { branch: main }
`;

/** A night of a year: each test fails every 40th night, and each night is hit by the infrastructure somewhere. */
const nightOf = (day) => ({
  ...{ run: `0195e7aa-0000-7000-8000-${String(day).padStart(12, '0')}`, label: `night-${day}` },
  ...{ at: new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString(), commit: String(day).padStart(40, 'c') },
  tests: Object.fromEntries(
    Array.from({ length: TESTS }, (_, at) => {
      const turn = (at * 7 + day) % 40;
      const letter = turn === 0 && day !== NIGHTS ? 'F' : turn === 20 ? 'I' : 'P';
      return [
        `many_nodes_tests_${at}@linux-x86_64@cp311`,
        { title: `many_nodes.${at}.aws`, owner: 'core', team: 'core', letter },
      ];
    }),
  ),
});

/** A year of 433 release tests: the next record, and `slipway tests` against `slipway --help`. */
export async function standings({ root, folder, runs }) {
  const require = createRequire(import.meta.url);
  const of = (path) => require(join(root, 'dist', path));
  const { fold, noStandings } = of('engine/standings/fold.js');
  const { readChain } = of('activities/standings/chain.js');
  const { records } = of('model/run-folder.js');
  const home = join(folder, 'standings');
  const keys = join(home, 'keys');
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(home, 'slipway.yaml'), FILE);
  of('adapters/home-keys/make.js').makeHomeKeys(keys);
  const proofs = of('adapters/home-keys/open.js').openHomeKeys(keys);
  const plain = of('adapters/store/directory.js').createDirectoryStore(join(home, 'store'));
  const store = () => of('adapters/home-keys/proved-store.js').provedStore(plain, proofs);
  let last = noStandings(CHAIN);
  for (let day = 1; day <= NIGHTS; day++) {
    last = fold(last, nightOf(day), [], POLICY);
    await (day === NIGHTS ? store() : plain).create(records.standings(CHAIN, day), last);
  }
  const next = async (run) => {
    const start = performance.now();
    const read = await readChain(store(), CHAIN);
    const folded = fold(read.last, nightOf(NIGHTS + 1), read.actions, POLICY);
    await store().create(records.standings({ ...CHAIN, branch: `other-${run}` }, 1), folded);
    return performance.now() - start;
  };
  const options = {
    env: { ...process.env, SLIPWAY_HOME: home, SLIPWAY_KEYS: keys, SLIPWAY_STORE: join(home, 'store') },
  };
  const slipway = (...argv) => costOf([process.execPath, join(root, 'bin', 'slipway.js'), ...argv], options);
  const taken = await inTurn(runs ?? 7, {
    next,
    tests: () => slipway('tests', join(home, 'slipway.yaml')),
    help: () => slipway('--help'),
  });
  const [tests, help] = [taken.tests, taken.help].map((all) => middle(all.map(({ wall }) => wall)));
  return [
    row('next standings of 433 tests after 365 nights', middle(taken.next), 'ms', { goal: atMost(300) }),
    row('one record of 433 tests', JSON.stringify(last).length / 1000, 'kB', { goal: atMost(150) }),
    row('slipway tests, against slipway --help', tests, 'ms', { reference: help, goal: ratioAtMost(2) }),
  ];
}
