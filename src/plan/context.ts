import { isNamedBy } from '../model/epochs.js';
import type { Problem } from '../model/failure.js';
import { sourceStepId, type Axes, type Queue, type StepId } from '../model/ids.js';
import type { Given, TagVariables } from '../model/plan.js';
import type { PlatformFacts } from '../model/platform.js';
import type { Profile } from '../model/schema/profile.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import { problems, type Path, type Spot } from './errors.js';
import type { Facts } from './facts.js';
import { factsOf, platformNames, platformTable } from './platforms.js';
import type { ReadFile } from './read/release-file.js';
import { withRetries } from './retries.js';
import { createPython, createSourced } from './sources.js';
import type { TagFacts } from './tags.js';
import { createTexts, type Texts } from './texts.js';

export interface Context extends Texts {
  readonly release: ReleaseFile;
  /** `platforms` are those of config/ as adjusted by the release file. */
  readonly facts: Facts;
  readonly name: string;
  /** Version of the source: of a release, of a named source; label of a pipeline. */
  readonly version: string;
  /** Version that products must have. Null: any. */
  readonly madeVersion: string | null;
  /** Null if the source is an sdist. */
  readonly commit: string | null;
  readonly profile: Profile;
  readonly platforms: readonly string[];
  readonly pythons: readonly string[];
  /** Queue of artifacts without a platform: the first platform's. */
  readonly mainQueue: Queue;
  readonly sourceStep: StepId;
  /** `sourceStep` of a named source. Absent in the context of the file's own source. */
  readonly ownSource?: StepId;
  /** Returns the context of an entry's own source. The same context without a name. An unknown name is a problem.
   * @param path the entry, for the problem */
  sourced(name: string | undefined, path: Path): Context;
  /** Returns the context of Python packages, whose snapshot is spelled by PEP 440. The same context without a snapshot. */
  python(): Context;
  /** True after the first problem. Problems that follow from it are then left out. */
  readonly failed: boolean;
  at(path: Path, what?: 'key' | 'value'): Spot;
  /** Why an imported entry is left out. Null if it is not, or not imported. */
  leftOut(id: string): string | null;
  /** Whether entries of a section are imported, so that there may be none. */
  isImportedTo(section: string): boolean;
  /** Entries that the command or `when` leaves out, and why. */
  readonly assumed: Readonly<Record<StepId, string>>;
  /** Why an entry is left out and counts as done. Null for any other id. */
  assumable(id: string): string | null;
  /** Whether a name of `epochs` means an imported entry that this plan need not build. */
  isBuilt(name: string): boolean;
  complain(problem: Problem): void;
  /** Complains about a key, or about its value. */
  needsThat(path: Path, why: string, next: string, what?: 'key' | 'value'): void;
  readonly tagFacts: TagFacts;
  queueOf(axes: Axes, on: string | undefined, path: Path): Queue;
  /** Returns the platform of a variant. Without that axis it is the first platform. */
  platformFacts(axes: Axes): PlatformFacts;
}

export interface ContextInput {
  readonly file: ReadFile;
  readonly facts: Facts;
  readonly name: string;
  readonly version: string;
  readonly found: Problem[];
}

export function createContext({ file, facts: given, name, version, found }: ContextInput): Context {
  const release = withRetries(file.content);
  const facts: Facts = { ...given, platforms: platformTable(release, given.platforms) };
  const platforms = platformNames(release, facts.platforms, facts.queues);
  const commit = facts.git?.commit ?? null;
  const mainQueue = facts.platforms[platforms[0] ?? '']?.queue ?? platforms[0] ?? 'control';
  const said = new Set<string>();
  const assumable = new Map(Object.entries({ ...file.assumable, ...file.assumed }));
  const complain = (problem: Problem): void => {
    const key = `${problem.code} ${problem.path} ${problem.message}`;
    if (!said.has(key)) found.push(problem);
    said.add(key);
  };
  const texts = createTexts(facts, version, file, complain);
  const context: Context = {
    release,
    facts,
    name,
    version,
    madeVersion: release.pipeline === undefined ? version : null,
    commit,
    profile: facts.profile.content,
    platforms,
    pythons: release.pythons,
    mainQueue,
    tagFacts: {
      version,
      commit,
      branch: facts.git?.branch ?? null,
      ...(facts.git && { yymmdd: dayOf(facts.git.epoch) }),
      ...tagVariables(facts.given),
    },
    sourceStep: sourceStepId(name),
    sourced: (source, path) => own.sourced(source, path),
    python: () => own.python,
    get failed() {
      return found.length > 0;
    },
    at: (path, what) => file.at(path, what),
    leftOut: (id) => file.leftOut?.[id] ?? null,
    isImportedTo: (section) => file.imports?.of.some(({ id }) => id.startsWith(`${section}/`)) ?? false,
    assumed: file.assumed ?? {},
    assumable: (id) => assumable.get(id) ?? null,
    isBuilt: (name) => (file.judged ?? []).some((id) => isNamedBy(name, id) || isNamedBy(id, name)),
    complain,
    needsThat: (path, why, next, what = 'key') => complain(problems.needsThat(file.at(path, what), why, next)),
    ...texts,
    queueOf: (axes, on, path) => {
      const queue = on ?? facts.platforms[axes['platform'] ?? '']?.queue ?? mainQueue;
      const unknownPlatform = on === undefined && !(queue in facts.queues) && !(axes['platform']! in facts.platforms);
      if (!(queue in facts.queues) && !unknownPlatform) {
        complain(problems.unknownQueue(file.at([...path, 'on']), queue, Object.keys(facts.queues)));
      }
      return queue;
    },
    platformFacts: (axes) => factsOf(axes['platform'] ?? platforms[0] ?? '', facts.platforms),
  };
  const own = { sourced: createSourced(context, file, facts), python: createPython(context, file, facts) };
  return context;
}

const tagVariables = ({ wheels: _, ...variables }: Given = {}): TagVariables => variables;

/** Formats a UTC day as `261121`.
 * @param epoch seconds since 1970 */
const dayOf = (epoch: number): string => new Date(epoch * 1000).toISOString().slice(2, 10).replaceAll('-', '');
