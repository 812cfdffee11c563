import type { Finding } from '../model/finding.js';
import { makesOf } from '../model/id-prefixes.js';
import type { StepId } from '../model/ids.js';
import type { Plan } from '../model/plan.js';

/** Content of an earlier release, from its plan or its manifest. */
export interface Previous {
  readonly version: string;
  readonly variants: readonly StepId[];
}

const isVariant = (id: StepId): boolean => ['tests', 'files', 'images'].includes(makesOf(id));

/** Reads a plan (its steps) or a manifest (its finished steps). Null for anything else. */
export function previousOf(read: unknown): Previous | null {
  if (read === null || typeof read !== 'object') return null;
  const { release, steps, done } = read as { readonly [key in 'release' | 'steps' | 'done']?: unknown };
  const version = (release as { readonly version?: unknown } | null | undefined)?.version;
  const ids = Array.isArray(done) ? done : Array.isArray(steps) ? steps.map(idOf) : null;
  if (typeof version !== 'string' || !ids?.every((id) => typeof id === 'string')) return null;
  return { version, variants: ids.filter((id) => isVariant(id)).sort() };
}

const idOf = (step: unknown): unknown => (step as { readonly id?: unknown } | null)?.id;

/** Finds variants of the previous release that this plan lacks: an error, or a note if the file gives a reason. */
export function missingSince(previous: Previous, plan: Plan): readonly Finding[] {
  const now = new Set(plan.steps.map(({ id }) => id));
  const dropped = new Map(plan.dropped.map(({ id, because }) => [id, because]));
  return previous.variants
    .filter((id) => !now.has(id))
    .map((id): Finding => {
      const because = dropped.get(id);
      const why = `${worded(id)} was in ${previous.version}, is not in ${plan.release.version}`;
      return {
        level: because === undefined ? 'error' : 'note',
        code: 'VARIANT_MISSING',
        subject: id,
        why: because === undefined ? why : `${why}: ${because}`,
        next:
          because === undefined ? 'Bring it back; where it goes on purpose, say so in the notes of the release.' : '',
      };
    });
}

/** `wheels/ray/cp313/macos-arm64` → `wheels/ray cp313 macos-arm64`. */
function worded(id: StepId): string {
  const [section, name, ...values] = id.split('/');
  return [`${section}/${name}`, ...values].join(' ');
}
