import type { Outcome } from '../../../src/model/tests/outcome.js';

/** A passed attempt with valid defaults around what a test is about. */
export const anOutcome = (more: Partial<Outcome> = {}): Outcome => ({
  ...{ slipway: 1, pipeline: 'night', label: '2026-11-22', profile: 'local', run: 'run-1' },
  ...{ step: 'tests/many_nodes', title: 'many_nodes.aws', repeat: 1, attempt: 1 },
  ...{ at: '2026-11-22T03:00:00.000Z', ms: 61_500, branch: 'master', commit: 'c'.repeat(40), tested: [] },
  ...{ code: null, class: null, message: '', phase: 'alerts', exit: 0, returnCode: 0 },
  ...{ results: { success: 1 }, metrics: null, lastLogs: ['ok'], crashPattern: '' },
  ...{ nodes: { seen: 3, lost: [] }, job: { id: 'job-1', url: 'http://10.0.0.2:8265' }, buildkite: null },
  ...{ smoke: false, stable: true, owner: 'core', tags: { team: 'core', frequency: 'nightly', cost: 'low' } },
  ...more,
});

/** A failed attempt. */
export const aFailure = (more: Partial<Outcome> = {}): Outcome =>
  anOutcome({
    ...{ code: 'TEST_FAILED', class: 'product', message: 'the test ended with status 7', phase: 'run' },
    ...{ exit: 7, returnCode: 40, results: null },
    ...more,
  });
