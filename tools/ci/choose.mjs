import { execFileSync } from 'node:child_process';
import { coreOf, suitesOfSystem, SYSTEMS } from './systems.mjs';

const COMMITS = 30;
const COMMITS_A_TURN = 10;

/** Which systems' suites .ci/run runs, by git alone, as `{system, runs, because}`. CI keeps nothing between its runs: so the turn
 * of a system that nothing touched follows from the number of commits. */
export function choose(root, { all = false } = {}) {
  const always = all ? '--all' : withoutHistory(root);
  if (always !== null) return Object.keys(SYSTEMS).map((system) => ({ system, runs: true, because: always }));
  const count = Number(git(root, 'rev-list', '--count', 'HEAD'));
  const touched = lines(git(root, 'log', '-n', `${COMMITS}`, '-m', '--name-only', '--no-renames', '--format='));
  return withNeeded(
    root,
    Object.keys(SYSTEMS).map((system, turn) => {
      const mine = new Set([...suitesOfSystem(root, system).map(({ file }) => file), ...coreOf(root, system)]);
      const file = touched.find((one) => SYSTEMS[system].own.test(one) || mine.has(one));
      if (file !== undefined) return { system, runs: true, because: `the last ${COMMITS} commits touched ${file}` };
      return { system, ...byTurn(count, turn) };
    }),
  );
}

function byTurn(count, turn) {
  const round = COMMITS_A_TURN * Object.keys(SYSTEMS).length;
  const away = (turn * COMMITS_A_TURN - (count % round) + round) % round;
  if (Math.floor(count / COMMITS_A_TURN) % Object.keys(SYSTEMS).length === turn)
    return { runs: true, because: `its turn at ${count} commits` };
  return { runs: false, because: `no recent commit touched it, and its turn comes in ${away} commits` };
}

/** A suite of one system may need another one: without it the suite would skip itself, and the run would be green. */
const withNeeded = (root, choice) =>
  choice.map((one) => {
    const needs = ({ system }) => suitesOfSystem(root, system).some((suite) => suite.needs.includes(one.system));
    const by = choice.find((other) => other !== one && other.runs && needs(other));
    return one.runs || by === undefined ? one : { ...one, runs: true, because: `suites of ${by.system} need it` };
  });

/** Null where git knows the last commits and their number. */
function withoutHistory(root) {
  try {
    return git(root, 'rev-parse', '--is-shallow-repository') === 'true' ? 'a shallow clone has no history' : null;
  } catch {
    return 'git does not answer here';
  }
}

const git = (root, ...args) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const lines = (text) => [...new Set(text.split('\n').filter(Boolean))];
