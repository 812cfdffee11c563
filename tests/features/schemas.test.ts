import type * as Zod from 'zod';
import type { Step } from '../../src/model/plan.js';
import { PARAMS } from '../../src/model/schema/params.js';
import { receiversOf } from '../../src/plan/policy/receivers.js';
import { servicesOf } from '../../src/plan/services.js';

jest.mock('../../src/features/schemas.js', () => {
  const { z } = jest.requireActual<typeof Zod>('zod');
  return {
    FEATURE_SCHEMAS: {
      sample: {
        params: { scanImage: z.strictObject({ at: z.string() }) },
        services: { scanImage: ({ at }: { at: string }) => [`scanner:${at}`] },
        receivers: {
          scanImage: ({ at }: { at: string }) => [{ kind: 'webhook', path: ['scans', 'one', 'at'], address: at }],
        },
      },
    },
  };
});

const step = { id: 'scans/one', kind: 'scanImage', params: { at: 'https://scan.example' } } as unknown as Step;

test('given a kind of a feature, then its parameters, services and receivers are those that the feature says', () => {
  expect(Object.keys(PARAMS)).toContain('scanImage');
  expect(servicesOf(step)).toEqual(['scanner:https://scan.example']);
  expect(receiversOf(step, false)).toMatchObject([
    { name: 'scans.one', kind: 'webhook', address: 'https://scan.example', username: null },
  ]);
});
