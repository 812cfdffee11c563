import type { IndexRefresh, RefreshedWheel } from '../../../src/model/index-refresh.js';

export const wanted = (more: Partial<RefreshedWheel> = {}): RefreshedWheel => ({
  ...{ project: 'boat', version: '1.0', python: 'cp311', state: 'here', because: '' },
  ...more,
});

/** The last run of a pipeline; a test says only what differs. */
export const aRefresh = (more: Partial<IndexRefresh> = {}): IndexRefresh => ({
  ...{ slipway: 1, pipeline: 'boats', workflowId: 'pipeline/boats/night-1', at: '2026-11-23T03:00:00.000Z' },
  wheels: [wanted()],
  ...more,
});
