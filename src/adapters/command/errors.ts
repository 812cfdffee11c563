import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const observeUnknown = (target: string, name: string, evidence: readonly string[]): Problem => ({
  code: 'OBSERVE_UNKNOWN',
  class: 'infra',
  service: targetService(target),
  message: `${target} cannot tell whether it has ${name}: observe ended with exit status 3`,
  next: 'It is asked again by itself, and nothing is uploaded meanwhile.',
  evidence,
});

export const observeFailed = (target: string, name: string, code: number, evidence: readonly string[]): Problem => ({
  code: 'OBSERVE_FAILED',
  class: 'config',
  message: `observe of ${target} ended with exit status ${code} for ${name}`,
  next: 'It prints absent or sha256:…, or ends with 3 where it cannot tell. Nothing was uploaded: mend publish.NAME.observe.',
  evidence,
  details: { exitCode: code },
});

export const observeNotUnderstood = (target: string, name: string, said: string): Problem => ({
  code: 'OBSERVE_NOT_UNDERSTOOD',
  class: 'config',
  message: `observe of ${target} printed ${JSON.stringify(said)} for ${name}`,
  next: 'It prints absent, or sha256: and 64 hex digits, and nothing else: what is for people goes to stderr.',
});

export const uploadFailed = (target: string, name: string, code: number, evidence: readonly string[]): Problem => ({
  code: 'UPLOAD_FAILED',
  class: 'infra',
  message: `upload to ${target} ended with exit status ${code} for ${name}, and it is not there`,
  next: 'It is looked for and uploaded again by itself; if it stays so, the lines below are the words of its client.',
  evidence,
  details: { exitCode: code },
});
