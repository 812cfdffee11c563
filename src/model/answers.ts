import * as is from './check.js';
import { isDigest } from './digest.js';
import { FAILURE_CLASSES } from './failure.js';
import type { GateRules, GateAction } from './gate.js';
import { cacheOf, KINDS } from './kinds.js';
import type { SkeletonStep } from './plan.js';
import { MOST_STEPS } from './plan-size.js';
import { STAGE_IDS } from './stages.js';
import { TARGET_KINDS } from './target-kinds.js';

/** Checks of what activities answer to a workflow. Any program that reaches Temporal can poll a queue and answer. */
const digest: is.Check = (value) => (isDigest(value) ? null : 'is no SHA-256 digest');
const name = is.text(300);
const number = is.whole(0, 1_000_000);

/** Temporal gives an attempt to five workers at most. */
export const lostWorkers = is.list(is.shape({ worker: is.orNull(name), atMs: is.milliseconds }), 10);

export const stepEnding = is.shape({
  outcome: is.oneOf('done', 'cached'),
  ms: is.milliseconds,
  worker: name,
  note: is.text(),
  sealed: is.maybe(digest),
  lost: is.maybe(lostWorkers),
});

const opened = is.shape({
  manifest: digest,
  earlier: is.list(is.shape({ by: is.text(2000), manifest: digest, run: name }), 100),
  targets: is.list(
    is.shape({ name, kind: is.oneOf(...TARGET_KINDS), address: is.text(2000), repository: is.orNull(is.text(2000)) }),
    1000,
  ),
});

/** Checks the answer of `openGate`.
 * @param sealed digest of what the run sealed, if its history has it */
export const gateOpened =
  (sealed: string | undefined): is.Check =>
  (value) => {
    const { manifest } = (is.isObject(value) ? value : {}) as { manifest?: unknown };
    return (
      opened(value) ?? (sealed === undefined || manifest === sealed ? null : `names another manifest than ${sealed}`)
    );
  };

export const problem = is.shape({
  code: is.text(100, /^[A-Z][A-Z0-9_]*$/),
  class: is.oneOf(...Object.keys(FAILURE_CLASSES)),
  message: is.text(100_000),
  next: is.text(),
  evidence: is.maybe(is.list(is.text(100_000), 1000)),
  firstError: is.maybe(is.list(is.text(100_000), 1000)),
  service: is.maybe(name),
  details: is.maybe((value) => (is.isObject(value) ? null : 'is no object')),
});

export const problems = is.list(problem, 1000);

const signer = is.shape({
  fingerprint: is.text(100, /^SHA256:/),
  group: name,
  key: name,
  names: is.list(is.text(2000), 10),
});
const vetted = is.either(
  is.shape({ ok: is.oneOf(true), signer: is.orNull(signer), text: is.maybe(digest) }),
  is.shape({ ok: is.oneOf(false), problem }),
);

/** Checks the answer of `verifyApprovals`: one item per action, signed only by keys that the gate lists. A workflow
 * cannot verify a signature: `passGate` does that again, in a signed record. */
export const actionsVetted = (
  actions: readonly GateAction[],
  rulesOf: (gate: string) => GateRules | null,
): is.Check => {
  const shaped = is.list(vetted, actions.length);
  return (value) => {
    const fault = shaped(value);
    if (fault !== null) return fault;
    const all = value as readonly { readonly ok: boolean; readonly signer?: { group: string; key: string } | null }[];
    if (all.length !== actions.length) return `has ${all.length} entries for ${actions.length} actions`;
    const at = all.findIndex(({ ok, signer: by = null }, no) => {
      if (!ok || by === null) return false;
      const listed = rulesOf(actions[no]!.gate)?.approvers ?? [];
      return !listed.some(({ group, key }) => group === by.group && key === by.key);
    });
    return at < 0 ? null : `[${at}] names a signer that the gate does not list`;
  };
};

/** Checks the answer of `lookUpCache`. Only kinds with the cache rule `pure` have cached results. */
export const workKnown = (steps: readonly Pick<SkeletonStep, 'kind' | 'cache'>[]): is.Check => {
  const shaped = is.shape({ found: is.list(found, steps.length), unknown: is.list(number, steps.length) });
  return (value) => {
    const fault = shaped(value);
    if (fault !== null) return fault;
    const strange = (value as { found: readonly [number][] }).found.find(
      ([step]) => steps[step] === undefined || cacheOf(steps[step]) !== 'pure',
    );
    return strange === undefined ? null : `.found names step ${strange[0]}, which cannot be known`;
  };
};

const found: is.Check = (value) =>
  Array.isArray(value) && value.length === 3
    ? (number(value[0]) ?? is.milliseconds(value[1]) ?? is.text()(value[2]))
    : 'is no step with its time and note';

const unserved = is.list(is.shape({ queue: name, since: is.milliseconds }), 1000);

export const fleetSeen = is.shape({ unserved, slots: is.table(is.whole(0, 1_000_000), 1000) });

const step = is.shape({
  id: name,
  kind: is.oneOf(...Object.keys(KINDS)),
  stage: is.oneOf(...STAGE_IDS),
  on: name,
  needs: is.list(number, MOST_STEPS),
  wants: is.list(number, MOST_STEPS),
  after: is.list(number, MOST_STEPS),
  limitMs: is.milliseconds,
  onFailure: is.maybe(is.oneOf('tell', 'stop')),
  tolerate: is.maybe(is.text(2000)),
  cache: is.maybe(is.oneOf('always')),
  pool: is.maybe(is.shape({ name, limit: is.whole(1, 10_000) })),
});

export const skeleton = is.shape({
  plan: digest,
  name,
  version: name,
  rehearsal: is.oneOf(true, false),
  pipeline: is.maybe(is.oneOf(true)),
  steps: is.list(step, 10 * MOST_STEPS),
  dropped: is.list(is.shape({ id: name, because: is.text() }), 10 * MOST_STEPS),
  assumed: is.maybe(is.list(is.shape({ id: name, because: is.text() }), 10 * MOST_STEPS)),
  nothingNew: is.maybe(name),
  nothingToDo: is.maybe(is.text()),
  failedBefore: is.maybe(is.list(is.text(), 1000)),
  windows: is.table(is.whole(0, 1_000_000), 1000),
});

const versions = is.table(is.text(500), 1000);

export const announcement = is.shape({
  ...{ worker: name, queue: name, instance: name, host: name, machine: name, build: name, at: name },
  libc: is.orNull(name),
  lookedFor: is.list(name, 1000),
  ...{ tools: versions, pythons: versions, bare: versions },
  can: is.list(name, 100),
  slots: is.whole(0, 1_000_000),
});
