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
  message: `nobody is asked at ${gate}: it is ${state}`,
  next: 'Only a gate that was reached, with everything sealed, can be approved or rejected.',
});

export const approvalVoid = (gate: string, given: string, sealed: string): Problem => ({
  code: 'APPROVAL_VOID',
  class: 'denied',
  message: `this is about the manifest ${given.slice(0, 90)}, and gate ${gate} stands before ${sealed}: other bytes`,
  next: `Look at what is sealed now: \`slipway approve ${gate} --show\`; then approve that.`,
});

export const notSigned = (gate: string): Problem => ({
  code: 'APPROVAL_NOT_SIGNED',
  class: 'denied',
  message: `gate ${gate} takes only signed actions, and nobody signed this one`,
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
  message: `this approval of ${gate} ended to count at ${expires}`,
  next: `Say it anew: \`slipway approve ${gate}\`.`,
});

export const approvalUsed = (gate: string): Problem => ({
  code: 'APPROVAL_USED',
  class: 'denied',
  message: `this very action was sent to gate ${gate} before`,
  next: `Sign a new one: \`slipway approve ${gate}\`.`,
});

export const openedAgain = (gate: string): Problem => ({
  code: 'APPROVAL_VOID',
  class: 'denied',
  message: `gate ${gate} was opened again while this was looked into: it is about the opening before`,
  next: `Look at what is sealed now: \`slipway approve ${gate} --show\`; then approve that.`,
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
  message: `gate ${gate} takes no approval by who started the run, and nobody said who that was`,
  next: 'Start the release with its `by`: `slipway run` says it.',
});

export const ownApproval = (gate: string, by: string): Problem => ({
  code: 'OWN_APPROVAL',
  class: 'denied',
  message: `${by} started this run and may not approve it (gates.${gate}.self: false)`,
  next: 'Somebody else must approve it.',
});

export const gateRejected = (gate: string, by: string, reason: string): Problem => ({
  code: 'GATE_REJECTED',
  class: 'denied',
  message: `${by} rejected gate ${gate}: ${reason}`,
  next: `Nothing was published. \`slipway retry gates/${gate}\` asks again; a mended release: \`slipway run FILE --supersede\`.`,
});
