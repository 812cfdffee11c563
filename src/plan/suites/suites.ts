import { findingOf, type Finding } from '../../model/finding.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { Suite, Suites } from '../../model/suite.js';
import { textAt } from '../init/lookup.js';
import { literally } from '../init/yaml.js';
import { pythonSuites } from './python.js';

/** Facts of one folder of a commit. Paths are regular files, relative to it. */
export interface SuiteFacts {
  readonly paths: readonly string[];
  /** Texts of the files that say how a project is tested. */
  readonly texts: Readonly<Record<string, string>>;
  readonly toml: Readonly<Record<string, JsonObject>>;
}

type Is = (facts: SuiteFacts) => boolean;
interface Tool {
  /** Words of a command that runs its tests, and what such a command may not have. */
  readonly words: readonly RegExp[];
  readonly not?: RegExp;
  /** How a folder with this file is tested. The tests of Python are found by their own rules. */
  readonly found?: readonly [file: string, name: string, run: string, is: Is];
}

const MAVEN = 'mvn -B -ntp -Dstyle.color=never -Dmaven.repo.local="$SLIPWAY_M2" test';
const isRust: Is = ({ paths, texts }) =>
  paths.some((path) => /^tests\/\w+\.rs$/.test(path)) ||
  /#\[(cfg\()?test\b/.test(`${texts['src/lib.rs']}${texts['src/main.rs']}`);
const isMaven: Is = ({ paths }) => paths.some((path) => /(^|\/)src\/test\//.test(path));
const isGo: Is = ({ paths }) => paths.some((path) => path.endsWith('_test.go'));
const isNpm: Is = ({ texts }) =>
  !(textAt(parsed(texts['package.json']), 'scripts', 'test') ?? 'echo').startsWith('echo');

const TOOLS: Readonly<Record<Suite['tool'], Tool>> = {
  pytest: { words: [/^(-m|.*\/)?(pytest|py\.test|unittest|tox|nox)$/], not: /\binstall\b/ },
  tox: { words: [/^(-m|.*\/)?tox$/], not: /\binstall\b/ },
  maven: {
    words: [/^(.*\/)?mvnw?$/, /^(test|package|integration-test|verify|install|deploy)$/],
    not: /-D\s*(skipTests|maven\.test\.skip)(?!=false)/,
    found: ['pom.xml', 'src/test (Maven)', MAVEN, isMaven],
  },
  cargo: { words: [/^(.*\/)?cargo$/, /^(test|t|nextest)$/], found: ['Cargo.toml', 'cargo test', 'cargo test', isRust] },
  go: { words: [/^(.*\/)?go$/, /^test$/], found: ['go.mod', 'go test', 'go test ./...', isGo] },
  npm: { words: [/^(npm|yarn|pnpm)$/, /^(test|t)$/], found: ['package.json', 'npm test', 'npm test', isNpm] },
};

function parsed(text: string | undefined): Json {
  try {
    return JSON.parse(text ?? 'null') as Json;
  } catch {
    return null;
  }
}

/** Finds the suites of a folder. Pure; text is read and never run. */
export function suitesOf(facts: SuiteFacts): readonly Suite[] {
  const install = facts.paths.includes('package-lock.json') ? 'npm ci' : 'npm install';
  const others = Object.entries(TOOLS).flatMap(([tool, { found }]) => {
    const [from, name, line, is] = found ?? [];
    if (from === undefined || !facts.paths.includes(from) || !is?.(facts)) return [];
    const run = tool === 'npm' ? `${install} && ${line}` : line!;
    return [{ tool: tool as Suite['tool'], name: name!, run, from, tree: ['.'], requires: null }];
  });
  return [...pythonSuites(facts), ...others];
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
    const folders = [...new Set(all.filter((one) => one.tool === tool).map((one) => one.folder))];
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
