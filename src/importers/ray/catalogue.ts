import type { Problem } from '../../model/failure.js';
import type { CommitAsk, ImportFacts } from '../asks.js';
import type { At } from '../importer.js';
import type { Draft } from './definitions.js';
import { type Change, draftsOf } from './drafts.js';
import { FormReader } from './forms.js';
import type { RayTest } from './test.js';

/** Files of tests, and changes of them: all that decides which tests there are. */
export interface Reading {
  readonly files: readonly string[];
  readonly change: readonly Change[];
}

/** Every test of the files, whether it is chosen or not. */
export interface Catalogue {
  readonly tests: readonly RayTest[];
  readonly findings: readonly Problem[];
}

/** Files that a round has read, for the next round: no file is parsed twice. */
export interface Held {
  readonly drafts: readonly Draft[];
  readonly findings: readonly Problem[];
}

export type Read = { readonly asks: readonly CommitAsk[]; readonly held: Held | null } | { readonly kept: Catalogue };

/** Reads the tests of an import from answers so far. */
export function readTests({ files, change }: Reading, facts: ImportFacts, held: Held | null, at: At): Read {
  const unread = files.filter((path) => facts.text[path] === undefined);
  if (unread.length > 0) return { asks: unread.map((path) => ({ ask: 'text', path })), held: null };
  const findings = [...(held?.findings ?? [])];
  const complain = (problem: Problem): unknown => findings.push(problem);
  const drafts = held?.drafts ?? draftsOf({ files, change, at }, facts.text, complain);
  const before = held ?? { drafts, findings: [...findings] };
  const forms = new FormReader(facts, complain);
  const tests = drafts.map((draft) => testOf(draft, forms));
  if (forms.asks.length > 0) return { asks: forms.asks, held: before };
  return { kept: { tests: tests.filter((test) => test !== null), findings } };
}

function testOf(draft: Draft, forms: FormReader): RayTest | null {
  const [full, smoke = null] = forms.of(draft);
  return full ? { name: draft.name, origin: draft.doc.place(draft.at), full, smoke, idle: draft.idle ?? [] } : null;
}
