import { problem } from '../../model/problem.js';
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

export const observeFailed = problem.config(
  (target: string, name: string, code: number, evidence: readonly string[]) => [
    'OBSERVE_FAILED',
    `observe of ${target} ended with exit status ${code} for ${name}`,
    'Nothing was uploaded. Fix publish.NAME.observe: it must print absent or sha256:…, or end with 3 if it cannot tell.',
    { evidence, details: { exitCode: code } },
  ],
);
export const observeNotUnderstood = problem.config((target: string, name: string, said: string) => [
  'OBSERVE_NOT_UNDERSTOOD',
  `observe of ${target} printed ${JSON.stringify(said)} for ${name}`,
  'Fix publish.NAME.observe: it must print absent, or sha256: and 64 hex digits. Send everything else to stderr.',
]);
export const uploadFailed = problem.infra((target: string, name: string, code: number, evidence: readonly string[]) => [
  'UPLOAD_FAILED',
  `upload to ${target} ended with exit status ${code} for ${name}, and the target lacks it`,
  'The step looks for it and uploads it again. If it stays so, fix what its client says in the lines below.',
  { evidence, details: { exitCode: code } },
]);
