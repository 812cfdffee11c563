import { catalogue } from '../model/catalogue.js';
import { findingOf } from '../model/finding.js';
import type { StepId } from '../model/ids.js';
import type { Setting, Tried } from './importer.js';

/** The decision of `known` and of the last failure about a build. */
export type ByTries =
  /** Built, though it is known to fail. */
  | { readonly verdict: 'build'; readonly known: string }
  | { readonly verdict: 'known'; readonly because: string }
  | { readonly verdict: 'failed before'; readonly because: string; readonly failed: Tried };

/** Returns the verdict about a build. One that `known` lists is built all the same if only another build of it failed, say one of
 * another recipe. Null: it is built, if anything is to be built.
 * @param listed its row of `known`, until the end of its day */
export function byTries(
  step: StepId,
  tries: Setting['tries'],
  listed: { readonly because: string; readonly until: string } | null,
): ByTries | null {
  const tried = tries !== null && Object.hasOwn(tries, step) ? tries[step]! : null;
  if (listed !== null && (tries === null || tried?.isSame === false))
    return { verdict: 'build', known: listed.because };
  if (listed !== null) return { verdict: 'known', because: `${listed.because} (until ${listed.until})` };
  if (tried === null || !tried.isSame || tried.until === null) return null;
  const because = `${failureText(tried)}; \`${logCommand(step, tried)}\``;
  return { verdict: 'failed before', because, failed: tried };
}

/** `BUILD_FAILED: krb5-config: not found (2026-11-20T10:00Z; not tried again before 2026-11-27T10:00Z)` */
export const failureText = ({ code, message, at, until }: Tried): string =>
  `${code}: ${message} (${minuteOf(at)}; not tried again before ${minuteOf(until!)})`;

/** Command that shows the log of a failure. */
export const logCommand = (step: StepId, { run }: Tried): string => `slipway logs ${step} --run ${run}`;

const minuteOf = (time: string): string => `${time.slice(0, 16)}Z`;

/** Why the failure of a build is tolerated. */
export const toleratedAs = (known: string): string => `\`known\` lists it: ${known}`;

/** Findings about builds that failed before or are known to fail. @param key place of the importing entry: `wheels.constraints` */
export const findings = catalogue(findingOf('warning'), {
  failedBefore: (failure: string, logs: string, mend: string, key: string) => [
    'FAILED_BEFORE',
    failure,
    `Read \`${logs}\`. ${mend}, or put it on \`${key}.known\`. \`retryFailed: 0s\` tries it again.`,
  ],
  knownExpired: (until: string, key: string) => [
    'KNOWN_EXPIRED',
    `\`${key}.known\` lists it until ${until}, which is over`,
    'Raise `until` with a new reason, or remove the entry.',
  ],
  nameUnlisted: (path: string, why: string) => [
    'NAME_UNLISTED',
    `\`${path}\` names it, and ${why}`,
    'Correct the name, or remove it.',
  ],
});
