import type { Problem } from '../../model/failure.js';
import { targetService } from '../../model/outage.js';

export const observeUnknown = (target: string, name: string, evidence: readonly string[]): Problem => ({
  code: 'OBSERVE_UNKNOWN',
  class: 'infra',
  service: targetService(target),
  message: `${target} cannot tell whether it has ${name}: observe ended with exit status 3`,
  next: 'The step retries and uploads nothing meanwhile. If it stays so, check the service with the client of that target.',
  evidence,
});

export const observeFailed = (target: string, name: string, code: number, evidence: readonly string[]): Problem => ({
  code: 'OBSERVE_FAILED',
  class: 'config',
  message: `observe of ${target} ended with exit status ${code} for ${name}`,
  next: 'Nothing was uploaded. Fix publish.NAME.observe: it must print absent or sha256:…, or end with 3 if it cannot tell.',
  evidence,
  details: { exitCode: code },
});

export const observeNotUnderstood = (target: string, name: string, said: string): Problem => ({
  code: 'OBSERVE_NOT_UNDERSTOOD',
  class: 'config',
  message: `observe of ${target} printed ${JSON.stringify(said)} for ${name}`,
  next: 'Fix publish.NAME.observe: it must print absent, or sha256: and 64 hex digits. Send everything else to stderr.',
});

export const uploadFailed = (target: string, name: string, code: number, evidence: readonly string[]): Problem => ({
  code: 'UPLOAD_FAILED',
  class: 'infra',
  message: `upload to ${target} ended with exit status ${code} for ${name}, and the target lacks it`,
  next: 'The step looks for it and uploads it again. If it stays so, fix what its client says in the lines below.',
  evidence,
  details: { exitCode: code },
});
