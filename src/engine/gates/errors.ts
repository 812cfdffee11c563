import type { Problem } from '../../model/failure.js';

export const gateUnknown = (gate: string, known: readonly string[]): Problem => ({
  code: 'GATE_UNKNOWN',
  class: 'config',
  message: `this run has no gate ${JSON.stringify(gate.slice(0, 80))}`,
  next: known.length === 0 ? 'Its release file has no `gates:`.' : `Name one: ${known.slice(0, 6).join(', ')}.`,
});

export const gateNotWaiting = (gate: string, state: string): Problem => ({
  code: 'GATE_NOT_WAITING',
  class: 'config',
  message: `${gate} takes no approval or rejection now: it is ${state}`,
  next: 'Wait until `slipway status` shows it at its gate: it opens after the seal.',
});

export const approvalVoid = (gate: string, given: string, sealed: string): Problem => ({
  code: 'APPROVAL_VOID',
  class: 'denied',
  message: `this is about the manifest ${given.slice(0, 90)}, but gate ${gate} waits for ${sealed}: other bytes`,
  next: `Read the current manifest with \`slipway approve ${gate} --show\`, then approve it.`,
});

export const notSigned = (gate: string): Problem => ({
  code: 'APPROVAL_NOT_SIGNED',
  class: 'denied',
  message: `gate ${gate} takes only signed actions, and this one has no signature`,
  next: `\`slipway approve ${gate}\` signs with the key of your SSH agent; \`--key PATH\` names another key.`,
});

export const nobodySaysIt = (gate: string): Problem => ({
  code: 'APPROVAL_BY_NOBODY',
  class: 'denied',
  message: `an action at gate ${gate} needs a name`,
  next: 'Send it with "by", or sign it.',
});

export const approvalExpired = (gate: string, expires: string): Problem => ({
  code: 'APPROVAL_EXPIRED',
  class: 'denied',
  message: `this approval of ${gate} expired at ${expires}`,
  next: `Approve again: \`slipway approve ${gate}\`.`,
});

export const approvalUsed = (gate: string): Problem => ({
  code: 'APPROVAL_USED',
  class: 'denied',
  message: `gate ${gate} has already used this signature`,
  next: `Sign a new one: \`slipway approve ${gate}\`.`,
});

export const openedAgain = (gate: string): Problem => ({
  code: 'APPROVAL_VOID',
  class: 'denied',
  message: `gate ${gate} was opened again while this signature was verified: it is for the earlier opening`,
  next: `Read the current manifest with \`slipway approve ${gate} --show\`, then approve it.`,
});

export const expiryNotATime = (expires: string): Problem => ({
  code: 'ACTION_NOT_UNDERSTOOD',
  class: 'config',
  message: `${JSON.stringify(expires.slice(0, 80))} is not a time`,
  next: 'Write it as 2026-11-21T16:00:00Z.',
});

export const starterUnknown = (gate: string): Problem => ({
  code: 'STARTER_UNKNOWN',
  class: 'denied',
  message: `gate ${gate} refuses approvals by the person who started the run, and the run names none`,
  next: 'Start the release with `slipway run`, which sets `by`.',
});

export const ownApproval = (gate: string, by: string): Problem => ({
  code: 'OWN_APPROVAL',
  class: 'denied',
  message: `${by} started this run and may not approve it (gates.${gate}.self: false)`,
  next: 'Ask another approver of the gate.',
});

export const gateRejected = (gate: string, by: string, reason: string): Problem => ({
  code: 'GATE_REJECTED',
  class: 'denied',
  message: `${by} rejected gate ${gate}: ${reason}`,
  next: `Nothing was published. \`slipway retry gates/${gate}\` asks again; \`slipway run FILE --supersede\` starts a corrected release.`,
});
