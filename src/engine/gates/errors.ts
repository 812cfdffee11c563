import { problem } from '../../model/problem.js';

export const gateUnknown = problem.config((gate: string, known: readonly string[]) => [
  'GATE_UNKNOWN',
  `this run has no gate ${JSON.stringify(gate.slice(0, 80))}`,
  known.length === 0 ? 'Its release file has no `gates:`.' : `Name one: ${known.slice(0, 6).join(', ')}.`,
]);
export const gateNotWaiting = problem.config((gate: string, state: string) => [
  'GATE_NOT_WAITING',
  `${gate} takes no approval or rejection now: it is ${state}`,
  'Wait until `slipway status` shows it at its gate: it opens after the seal.',
]);
export const approvalVoid = problem.denied((gate: string, given: string, sealed: string) => [
  'APPROVAL_VOID',
  `this is about the manifest ${given.slice(0, 90)}, but gate ${gate} waits for ${sealed}: other bytes`,
  `Read the current manifest with \`slipway approve ${gate} --show\`, then approve it.`,
]);
export const notSigned = problem.denied((gate: string) => [
  'APPROVAL_NOT_SIGNED',
  `gate ${gate} takes only signed actions, and this one has no signature`,
  `\`slipway approve ${gate}\` signs with the key of your SSH agent; \`--key PATH\` names another key.`,
]);
export const nobodySaysIt = problem.denied((gate: string) => [
  'APPROVAL_BY_NOBODY',
  `an action at gate ${gate} needs a name`,
  'Send it with "by", or sign it.',
]);
export const approvalExpired = problem.denied((gate: string, expires: string) => [
  'APPROVAL_EXPIRED',
  `this approval of ${gate} expired at ${expires}`,
  `Approve again: \`slipway approve ${gate}\`.`,
]);
export const approvalUsed = problem.denied((gate: string) => [
  'APPROVAL_USED',
  `gate ${gate} has already used this signature`,
  `Sign a new one: \`slipway approve ${gate}\`.`,
]);
export const openedAgain = problem.denied((gate: string) => [
  'APPROVAL_VOID',
  `gate ${gate} was opened again while this signature was verified: it is for the earlier opening`,
  `Read the current manifest with \`slipway approve ${gate} --show\`, then approve it.`,
]);
export const expiryNotATime = problem.config((expires: string) => [
  'ACTION_NOT_UNDERSTOOD',
  `${JSON.stringify(expires.slice(0, 80))} is not a time`,
  'Write it as 2026-11-21T16:00:00Z.',
]);
export const starterUnknown = problem.denied((gate: string) => [
  'STARTER_UNKNOWN',
  `gate ${gate} refuses approvals by the person who started the run, and the run names none`,
  'Start the release with `slipway run`, which sets `by`.',
]);
export const ownApproval = problem.denied((gate: string, by: string) => [
  'OWN_APPROVAL',
  `${by} started this run and may not approve it (gates.${gate}.self: false)`,
  'Ask another approver of the gate.',
]);
export const gateRejected = problem.denied((gate: string, by: string, reason: string) => [
  'GATE_REJECTED',
  `${by} rejected gate ${gate}: ${reason}`,
  `Nothing was published. \`slipway retry gates/${gate}\` asks again; \`slipway run FILE --supersede\` starts a corrected release.`,
]);
