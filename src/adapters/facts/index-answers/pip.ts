import type { IndexFile } from '../../../importers/index.js';
import { fail } from '../../../model/failure.js';
import { runPython } from '../python.js';
import { ASK_INDEXES } from './ask-script.js';
import { pipFailed } from './errors.js';

const TRIES = 3;
/** Connections to an index at once. An answer to an entity tag has no body, so more of them are no burden. */
const CONNECTIONS = { pages: 4, tags: 8 };

export interface Question {
  /** Identity of an index. */
  readonly index: string;
  readonly project: string;
  readonly versions: readonly string[] | 'all';
  readonly etag: string | null;
}

export interface Page {
  readonly files: readonly IndexFile[];
  readonly newest: readonly string[];
  readonly foreign: readonly string[];
}

export type Line = Pick<Question, 'index' | 'project'> &
  (
    | ({ readonly kind: 'page'; readonly etag: string | null } & Page)
    | { readonly kind: 'same' | 'absent' }
    | { readonly kind: 'none'; readonly why: string }
  );

interface Identities {
  /** Identities of the indexes that pip is configured for, in its order. */
  readonly indexes: readonly string[];
  /** Identity of the index that pip asks without settings. */
  readonly builtIn: string;
  /** Identities of the other addresses that were given. */
  readonly others: readonly string[];
}

export interface Said extends Pick<Identities, 'indexes'> {
  readonly lines: readonly Line[];
}

/** Asks by pip's session. Each question has a line in the answer, except those for other indexes than pip's. */
export type AskPip = (questions: readonly Question[]) => Promise<Said>;

/** Throws PIP_FAILED if pip ends without an answer. */
export const askPip: AskPip = (questions) => run(questions, [], process.env);

/** Returns which indexes pip asks. An identity does not contain the address. Throws PIP_FAILED. @param others addresses to compare */
export const identitiesOf = (others: readonly string[], env: NodeJS.ProcessEnv): Promise<Identities> =>
  run([], others, env);

async function run(
  questions: readonly Question[],
  others: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Said & Identities> {
  const say = { tries: TRIES, connections: CONNECTIONS, others, questions };
  const { lines, fault, words } = await runPython<Line | Identities>(ASK_INDEXES, say, env);
  const [first, ...answers] = lines;
  if (fault !== null || first === undefined || !('indexes' in first)) throw fail(pipFailed(fault, words));
  return { ...first, lines: answers as readonly Line[] };
}
