import { findingOf, type Finding } from '../../model/finding.js';
import type { JsonObject } from '../../model/json.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { Suite } from '../../model/suite.js';
import { matched, textAt } from '../init/lookup.js';
import { pythonSuites } from './python.js';

/** Facts of one folder of a commit. Paths are relative to it; a link is a file. */
export interface SuiteFacts {
  readonly paths: readonly string[];
  /** Texts of the files that say how a project is tested. */
  readonly texts: Readonly<Record<string, string>>;
  readonly toml: Readonly<Record<string, JsonObject>>;
}

/** Finds the suites of a folder. Pure; text is read and never run. */
export function suitesOf(facts: SuiteFacts): readonly Suite[] {
  const { paths, texts } = facts;
  const some = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  const isRust = some(/^tests\/\w+\.rs$/) || /#\[(cfg\()?test\b/.test(`${texts['src/lib.rs']}${texts['src/main.rs']}`);
  const npm = matched(texts['package.json'] ?? null, /"scripts"\s*:\s*\{[^{}]*"test"\s*:\s*"((?!echo)[^"]+)"/);
  const install = paths.includes('package-lock.json') ? 'npm ci' : 'npm install';
  const rows: readonly [boolean, Suite['tool'], name: string, from: string, run: string][] = [
    [some(/(^|\/)src\/test\//), 'maven', 'src/test (Maven)', 'pom.xml', MAVEN],
    [isRust, 'cargo', 'cargo test', 'Cargo.toml', 'cargo test'],
    [some(/_test\.go$/), 'go', 'go test', 'go.mod', 'go test ./...'],
    [npm !== null, 'npm', 'npm test', 'package.json', `${install} && npm test`],
  ];
  const found = rows.filter(([is, , , from]) => is && paths.includes(from));
  const others = found.map(([, tool, name, from, run]) => ({ tool, name, from, run, tree: ['.'], requires: null }));
  return [...pythonSuites(facts), ...others].sort((a, b) => Number(a.run === null) - Number(b.run === null));
}

const MAVEN = 'mvn -B -ntp -Dstyle.color=never -Dmaven.repo.local="$SLIPWAY_M2" test';

const RUNS: Readonly<Record<Suite['tool'], RegExp>> = {
  pytest: /\b(pytest|py\.test|unittest|tox|nox)\b/,
  tox: /\btox\b/,
  maven: /\bmvnw?\b.*\b(test|verify|install)\b/,
  cargo: /\bcargo\b.*\b(test|nextest)\b/,
  go: /\bgo test\b/,
  npm: /\b(npm|yarn|pnpm)( run)? (test|t)\b/,
};
const TOLD = 4;

/** Returns a finding about suites that no line of a release runs. Empty if there are none. */
export function notRun(
  suites: readonly Suite[],
  { tests, steps, jars, wheels }: Pick<ReleaseFile, 'tests' | 'steps' | 'jars' | 'wheels'>,
): readonly Finding[] {
  const lines = [tests, steps, jars, wheels].flatMap((section) =>
    Object.values(section).flatMap((entry) => textAt(entry as never, 'run') ?? []),
  );
  const runs = ({ tool, name, run }: Suite): boolean =>
    lines.some(
      (line) => line === run || (RUNS[tool].test(line) && (run !== null || line.includes(name.split(' ').at(-1)!))),
    );
  const left = suites.filter((suite) => !runs(suite)).map(({ name }) => name);
  const told = [...left.slice(0, TOLD), ...(left.length > TOLD ? [`${left.length - TOLD} more`] : [])];
  const next =
    'Write an entry under `tests:` for what the release should wait for; `slipway init --print` in the checkout proposes some.';
  return left.length === 0
    ? []
    : [findingOf('warning')('the project', 'SUITE_NOT_RUN', `not run: ${told.join(', ')}`, next)];
}
