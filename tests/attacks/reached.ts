import type { Problem } from '../../src/model/failure.js';
import type { KindName } from '../../src/model/kinds.js';
import type { Plan, StepOf } from '../../src/model/plan.js';
import { aPlan } from '../support/run-body.js';

export const DIGEST = `sha256:${'0'.repeat(64)}`;
export const PASSWORD = 'a-password-of-the-database';

export const problemsOf = async (made: Promise<unknown>): Promise<readonly Problem[]> =>
  made.then(
    () => [],
    (error: { problems: readonly Problem[] }) => error.problems,
  );

export const aPlanOf = (step: StepOf<KindName>, rehearsal: boolean): Plan =>
  aPlan({ release: { name: 'night', version: '1' }, profile: { name: 'own', rehearsal }, steps: [step] as never });

export const databaseAt = (host: string, port: number) => ({
  DATABASE: `postgres://slipway:${PASSWORD}@${host}:${port}/results`,
});
