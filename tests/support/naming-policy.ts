import { readChecked } from '../../src/plan/read/release-file.js';
import { Policy } from '../../src/model/schema/policy.js';
import type { StepContext } from '../../src/activities/step/ports.js';

/** A worker's policy that names these references for every step. */
export function policyNaming(...references: readonly string[]): NonNullable<StepContext['policy']> {
  const path = '/home/policy.yaml';
  const policy = readChecked(`policy: 1\nsecrets: ${JSON.stringify(references)}\n`, path, Policy);
  return { path, read: () => Promise.resolve(policy) };
}
