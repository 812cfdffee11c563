import type { Problem } from '../../src/model/failure.js';
import type { Skeleton, SkeletonStep } from '../../src/model/plan.js';

export const RETRY = {
  infra: { times: 2, waitMs: 1000, atMostMs: 5000 },
  lost: { times: 3, waitMs: 0, atMostMs: 0 },
} as const;

export type Rough = Partial<SkeletonStep> & { readonly id: string };

export const aStep = (rough: Rough): SkeletonStep => ({
  kind: 'runCommand',
  stage: 'steps',
  on: 'control',
  needs: [],
  wants: [],
  after: [],
  limitMs: 1000,
  retry: RETRY,
  ...rough,
});

export const aSkeleton = (steps: readonly Rough[], over: Partial<Skeleton> = {}): Skeleton => ({
  plan: `sha256:${'a'.repeat(64)}`,
  name: 'thing',
  version: '1.0',
  rehearsal: false,
  steps: steps.map(aStep),
  dropped: [],
  windows: { control: 10 },
  ...over,
});

export const aProblem = (over: Partial<Problem> = {}): Problem => ({
  code: 'COMMAND_FAILED',
  class: 'product',
  message: 'make exited with 2',
  next: 'Read the log.',
  ...over,
});
