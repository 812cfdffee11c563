import type { CommitFiles } from '../../model/checkout.js';
import { findingOf, type Finding } from '../../model/finding.js';
import { type Json, jsonIn } from '../../model/json.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { Suite, Suites } from '../../model/suite.js';
import { type Folder, pathsOf, textAt, textOf } from '../init/lookup.js';
import { literally } from '../init/yaml.js';
import { pythonSuites } from './python.js';

interface Tool {
  /** Words of a command that runs its tests, and what such a command may not have. */
  readonly words: readonly RegExp[];
  readonly not?: RegExp;
  /** How a folder with this file is tested. The tests of Python are found by their own rules. */
  readonly found?: readonly [file: string, name: string, run: string, is: (folder: Folder<CommitFiles>) => boolean];
}

const MAVEN = 'mvn -B -ntp -Dstyle.color=never -Dmaven.repo.local="$SLIPWAY_M2" test';
const hasPath =
  (pattern: RegExp) =>
  (folder: Folder<CommitFiles>): boolean =>
    pathsOf(folder).some((path) => pattern.test(path));
const isRust = (folder: Folder<CommitFiles>): boolean =>
  hasPath(/^tests\/\w+\.rs$/)(folder) ||
  ['src/lib.rs', 'src/main.rs'].some((file) => /#\[(cfg\()?test\b/.test(textOf(folder, file) ?? ''));
/** The line that npm writes into a new project tests nothing. */
const isNpm = (folder: Folder<CommitFiles>): boolean =>
  !(textAt(jsonIn(textOf(folder, 'package.json') ?? '') as Json, 'scripts', 'test') ?? 'echo').startsWith('echo');

const TOOLS: Readonly<Record<Suite['tool'], Tool>> = {
  pytest: { words: [/^(-m|.*\/)?(pytest|py\.test|unittest|tox|nox)$/], not: /\binstall\b/ },
  tox: { words: [/^(-m|.*\/)?tox$/], not: /\binstall\b/ },
  maven: {
    words: [/^(.*\/)?mvnw?$/, /^(test|package|integration-test|verify|install|deploy)$/],
    not: /-D\s*(skipTests|maven\.test\.skip)(?!=false)/,
    found: ['pom.xml', 'src/test (Maven)', MAVEN, hasPath(/(^|\/)src\/test\//)],
  },
  cargo: { words: [/^(.*\/)?cargo$/, /^(test|t|nextest)$/], found: ['Cargo.toml', 'cargo test', 'cargo test', isRust] },
  go: { words: [/^(.*\/)?go$/, /^test$/], found: ['go.mod', 'go test', 'go test ./...', hasPath(/_test\.go$/)] },
  npm: { words: [/^(npm|yarn|pnpm)$/, /^(test|t)$/], found: ['package.json', 'npm test', 'npm test', isNpm] },
};

/** Finds the suites of a folder. Pure; text is read and never run. */
export function suitesOf(folder: Folder<CommitFiles>): readonly Suite[] {
  const paths = pathsOf(folder);
  const install = paths.includes('package-lock.json') ? 'npm ci' : 'npm install';
  const others = Object.entries(TOOLS).flatMap(([tool, { found }]) => {
    const [from, name, line, is] = found ?? [];
    if (from === undefined || !paths.includes(from) || !is?.(folder)) return [];
    const run = tool === 'npm' ? `${install} && ${line}` : line!;
    return [{ tool: tool as Suite['tool'], name: name!, run, from, tree: ['.'], requires: null }];
  });
  return [...pythonSuites(folder, paths), ...others];
}

/** Returns whether a command of a line runs tests by a tool. Values of -D are no goals of Maven. */
const isRunBy = ({ words, not }: Tool, line: string): boolean =>
  line.split(/[;&|\n]/).some((command) => {
    const said = command.replace(/-D\s*\S+|['"()]/g, ' ').split(/\s+/);
    return !not?.test(command) && words.every((word) => said.some((one) => word.test(one)));
  });

/** Returns which of some folders a line names; the top if it names none. */
function namedIn(line: string, folders: readonly string[]): readonly string[] {
  const words = line.split(/[\s'"=;&|()]+/).map((word) => `${word.replace(/^(\.|\$\w+)\//, '')}/`);
  const nearest = [...folders].filter(Boolean).sort((a, b) => b.length - a.length);
  const named = words.flatMap((word) => nearest.find((folder) => word.startsWith(`${folder}/`)) ?? []);
  return named.length > 0 ? named : [''];
}

const TOLD = 4;

/** Returns a finding about suites that no line of a release runs. Empty if there are none. */
export function notRun(
  suites: Suites,
  { tests, steps, jars, wheels }: Pick<ReleaseFile, 'tests' | 'steps' | 'jars' | 'wheels'>,
): readonly Finding[] {
  const lines = [tests, steps, jars, wheels].flatMap((section) =>
    Object.values(section).flatMap((entry) => textAt(entry as never, 'run') ?? []),
  );
  const all = Object.entries(suites).flatMap(([folder, some]) => some.map((suite) => ({ folder, ...suite })));
  const left = all.filter(({ folder, tool, run }) => {
    const folders = all.flatMap((one) => (one.tool === tool ? [one.folder] : []));
    const own = lines.filter((line) => line.includes(literally(run)) || isRunBy(TOOLS[tool], line));
    return !own.some((line) => folders.length === 1 || namedIn(line, folders).includes(folder));
  });
  if (left.length === 0) return [];
  const told = left.slice(0, TOLD).map(({ folder, name }) => (folder === '' ? name : `${name} in ${folder}`));
  const more = left.length > TOLD ? [`${left.length - TOLD} more`] : [];
  const next =
    'Write an entry under `tests:` for what the release should wait for; `slipway init --print` in the checkout proposes some.';
  return [findingOf('warning')('the project', 'SUITE_NOT_RUN', `no line names ${[...told, ...more].join(', ')}`, next)];
}
