import { type AskedProject, type IndexAnswer, PLANNED_OFFLINE } from '../../../importers/index.js';
import { fail } from '../../../model/failure.js';
import { indexSilent, noIndex } from './errors.js';
import { type Memory, openMemory, type Remembered } from './memory.js';
import { covers, type Known, merged, renewed, withRemembered } from './merge.js';
import { type AskPip, askPip, type Line, type Question } from './pip.js';
import { settingsDigest } from './settings.js';

type Answers = Readonly<Record<string, IndexAnswer>>;

/** Returns an answer for each project. Throws INDEX_UNREACHABLE if no index answers and none ever did, INDEX_NONE if pip has no index.
 * @param maxAgeMs an answer younger than this is not asked for again */
export type AskIndexes = (projects: readonly AskedProject[], maxAgeMs: number) => Promise<Answers>;

interface Around {
  /** Only remembered answers, of any age. */
  readonly offline: boolean;
  readonly memory?: Memory;
  readonly ask?: AskPip;
  readonly now?: () => number;
}

/** One project in one index. */
interface Pair {
  readonly index: string;
  readonly project: AskedProject;
  readonly record: Remembered | null;
}

/** Opens the indexes that pip is configured for. They are asked at most once for a version. */
export function openIndexes({ offline, memory = openMemory(), ask = askPip, now = Date.now }: Around): AskIndexes {
  const startedMs = now();
  return async (projects, maxAgeMs) => {
    const indexes = await indexesOf(memory, ask);
    if (indexes.length === 0) throw fail(noIndex());
    const pairs = await Promise.all(
      projects.flatMap((project) => indexes.map((index) => remembered(memory, index, project))),
    );
    const isDue = ({ record, project }: Pair): boolean =>
      !covers(record, project.versions) || record!.askedAtMs! < Math.min(startedMs, now() - maxAgeMs);
    const due = offline ? [] : pairs.filter(isDue);
    const said = due.length === 0 ? [] : (await ask(due.map(questionOf))).lines;
    const known = await Promise.all(pairs.map((pair) => renew(pair, said, { memory, offline, nowMs: now() })));
    const answers = projects.map((one, at) =>
      merged(one, known.slice(at * indexes.length, (at + 1) * indexes.length), now()),
    );
    const isSilent = said.length > 0 && said.every(({ kind }) => kind === 'none');
    if (isSilent && answers.every(({ state }) => state === 'unanswered'))
      throw fail(indexSilent(projects.length, [...new Set(said.flatMap((one) => ('why' in one ? [one.why] : [])))]));
    return Object.fromEntries(projects.map(({ name }, at) => [name, answers[at]!]));
  };
}

/** Identities of the indexes, each once. Pip is asked once for each state of its settings. */
async function indexesOf(memory: Memory, ask: AskPip): Promise<readonly string[]> {
  const settings = await settingsDigest();
  const before = await memory.indexes(settings);
  if (before !== null) return [...new Set(before)];
  const { indexes } = await ask([]);
  await memory.keepIndexes(settings, indexes);
  return [...new Set(indexes)];
}

const remembered = async (memory: Memory, index: string, project: AskedProject): Promise<Pair> => ({
  ...{ index, project },
  record: await memory.read(index, project.name, project.versions === 'all'),
});

/** The ETag is sent only if the record has all that a new page would be read for. */
function questionOf({ index, project, record }: Pair): Question {
  const etag = covers(record, project.versions) ? record!.etag : null;
  return { index, project: project.name, versions: withRemembered(record, project.versions), etag };
}

interface Renewing {
  readonly memory: Memory;
  readonly offline: boolean;
  readonly nowMs: number;
}

/** Remembers the new line of a project, if there is one. */
async function renew(pair: Pair, said: readonly Line[], { memory, offline, nowMs }: Renewing): Promise<Known> {
  const { index, project, record } = pair;
  const line = said.find((one) => one.index === index && one.project === project.name);
  if (line === undefined) return { record, late: offline ? PLANNED_OFFLINE : null };
  const after = renewed(record, line, questionOf(pair).versions, nowMs);
  await memory.keep(index, project.name, after);
  return { record: after, late: line.kind === 'none' ? line.why : null };
}
