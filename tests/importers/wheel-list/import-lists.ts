import {
  type Ask,
  type BindepAnswer,
  bindepKey,
  fileKey,
  type ImportFacts,
  type IndexAnswer,
  type IndexFile,
  noFacts,
  type OurIndex,
  type OurWheel,
} from '../../../src/importers/asks.js';
import type { Distributions, Imported, Setting } from '../../../src/importers/importer.js';
import { wheelList } from '../../../src/importers/wheel-list/index.js';
import { versionInName } from '../../../src/model/python/file-name.js';
import type { Rebuilds } from '../../../src/model/made-base.js';
import type { Row } from '../../../src/model/rows.js';
import { WheelList } from '../../../src/model/schema/sections/wheel-list.js';

type Files = Readonly<Record<string, string>>;

export interface World {
  /** Files of each branch. */
  readonly branches: Readonly<Record<string, Files>>;
  /** Pages of the index: names of files, or what is special of them. A project that is not here is absent. */
  readonly index: Readonly<
    Record<string, readonly (string | (Partial<IndexFile> & { readonly file: string }))[] | IndexAnswer>
  >;
  readonly today?: string;
  /** Wheels that the index of a platform lists, at the target `cache`: names, or what is special of them. */
  readonly ours?: Readonly<Record<string, readonly (string | (Partial<OurWheel> & { readonly file: string }))[]>>;
  /** Wheels that it does not list any more. */
  readonly former?: World['ours'];
  readonly tries?: Setting['tries'];
  /** Records of earlier runs about those wheels. */
  readonly rebuilds?: Rebuilds;
  /** Builds that gave pure wheels, by digest of the sdist. */
  readonly pure?: ImportFacts['pure'];
  /** Epochs of the release file. */
  readonly epochs?: Setting['epochs'];
  /** Answers of bindep by branch and platform. A platform that is not here has no file. */
  readonly bindep?: Readonly<Record<string, Readonly<Record<string, BindepAnswer>>>>;
  /** Distributions whose bases take packages. */
  readonly distributions?: Distributions;
}

export const DIGEST = 'd'.repeat(64);
const HASH = (): never => {
  throw new Error('an import of lists hashes nothing');
};

const SETTING: Setting = {
  at: (path) => ({ file: 'slipway.yaml', line: 10 + path.length }),
  key: 'wheels.constraints',
  hash: HASH,
  config: { instances: {}, alerts: {} } as unknown as Setting['config'],
  chosen: {},
  states: null,
  indexes: [{ target: 'cache', files: [{ id: 'wheels/*', pick: {} }] }],
  epochs: {},
  tries: {},
  settings: null,
  platforms: {
    'debian-12': { arch: 'x86_64', glibc: '2.36', until: '2028-06-30', python: null },
    'debian-13': { arch: 'x86_64', glibc: '2.41', until: null, python: null },
    'debian-11': { arch: 'x86_64', glibc: '2.31', until: null, python: { tag: 'cp39', version: '3.9.2' } },
    'macos-arm64': { arch: 'arm64', glibc: null, until: null, python: null },
  },
};

const fileOf = (project: string, one: string | (Partial<IndexFile> & { readonly file: string })): IndexFile => {
  const said = typeof one === 'string' ? { file: one } : one;
  const version = versionInName(project, said.file) ?? '';
  return { version, sha256: DIGEST, size: 1, requiresPython: null, yanked: null, uploadedAt: null, ...said };
};

const ourWheel = (one: NonNullable<World['ours']>[string][number]): OurWheel => ({
  ...{ digest: `sha256:${'a'.repeat(64)}`, requiresPython: null, uploadTime: '2026-11-20T10:00:00.000000Z' },
  from: { source: `sha256:${DIGEST}`, lock: null, base: null },
  ...(typeof one === 'string' ? { file: one } : one),
});

const ourIndex = (platform: string, { ours = {}, former, rebuilds }: World): OurIndex => ({
  wheels: (ours[platform] ?? []).map(ourWheel),
  findings: [],
  ...(former && { former: (former[platform] ?? []).map(ourWheel) }),
  ...(rebuilds && { rebuilds }),
});

/** Answer that planning would give. Null: no index has been asked about the project. */
function answer(asks: readonly Ask[], facts: ImportFacts, world: World): ImportFacts {
  const { branches, index, pure = {}, today = '2026-11-22', bindep = {}, distributions = {} } = world;
  const commits = Object.fromEntries(Object.keys(branches).map((name) => [name, `commit of ${name}`]));
  const branchOf = (commit: string): string => Object.keys(commits).find((name) => commits[name] === commit)!;
  const filled = structuredClone(facts) as { -readonly [K in keyof ImportFacts]: Record<string, never> };
  const put = (into: keyof ImportFacts, key: string, value: unknown): void =>
    void ((filled[into] as Record<string, unknown>)[key] = value);
  for (const ask of asks) {
    if (ask.ask === 'today') put('today', 'UTC', today);
    else if (ask.ask === 'ours') put('ours', ask.platform, { cache: ourIndex(ask.platform, world) });
    else if (ask.ask === 'pure') for (const sdist of ask.sdists) put('pure', sdist, pure[sdist] ?? []);
    else if (ask.ask === 'branches') put('branches', ask.git, commits);
    else if (ask.ask === 'bindep') {
      const platform = Object.keys(distributions).find((name) => distributions[name] === ask.platform)!;
      put('bindep', bindepKey(ask), bindep[branchOf(ask.commit)]?.[platform] ?? null);
    } else if (ask.ask === 'file') {
      const branch = branchOf(ask.commit);
      put('file', fileKey(ask), branches[branch]![ask.path] ?? null);
    } else if (ask.ask === 'index')
      for (const { name } of ask.projects) {
        const page = index[name] ?? { state: 'absent', askedAt: '', late: null };
        const files = { state: 'files', askedAt: '2026-11-22T20:00:00Z', late: null, newest: ['9.0'], foreign: [] };
        put('index', name, 'state' in page ? page : { ...files, files: page.map((one) => fileOf(name, one)) });
      }
  }
  return filled;
}

/** Imports as planning does: asks until everything is answered. */
export function importLists(entry: object, world: World): Imported & { readonly asked: readonly Ask[] } {
  const say = WheelList.parse({ import: 'wheel-list', ...entry });
  const { tries = SETTING.tries, epochs = {} } = world;
  const setting = { ...SETTING, tries, epochs };
  let facts = noFacts();
  const asked: Ask[] = [];
  for (let round = 0; round < 10; round += 1) {
    const said = wheelList.read(say, facts, SETTING.at, undefined, world.distributions);
    if ('kept' in said) return { ...wheelList.make(structuredClone(said.kept), say, setting), asked };
    asked.push(...said.asks);
    facts = answer(said.asks, facts, world);
  }
  throw new Error('ten rounds');
}

/** Rows as `SUBJECT: VERDICT: REASON`. */
export const rowTexts = ({ rows = [] }: Imported): readonly string[] =>
  rows.map(({ subject, verdict, reason }: Row) => `${subject}: ${verdict}: ${reason}`);
