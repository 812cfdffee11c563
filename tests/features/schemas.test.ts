import type * as Zod from 'zod';
import type * as Lists from '../../src/features/schemas.js';
import type { Step } from '../../src/model/plan.js';
import type * as Frame from '../../src/model/schema/frame.js';
import { PARAMS } from '../../src/model/schema/params.js';
import { receiversOf } from '../../src/plan/policy/receivers.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { releaseFileSchema } from '../../src/plan/reference/json-schema.js';
import { withRetries } from '../../src/plan/retries.js';
import { servicesOf } from '../../src/plan/services.js';
import { HEAD } from '../plan/a-plan.js';

jest.mock('../../src/features/schemas.js', () => {
  const { z } = jest.requireActual<typeof Zod>('zod');
  const { frame } = jest.requireActual<typeof Frame>('../../src/model/schema/frame.js');
  return {
    FEATURE_SCHEMAS: {
      ...jest.requireActual<typeof Lists>('../../src/features/schemas.js').FEATURE_SCHEMAS,
      sample: {
        params: { scanImage: z.strictObject({ at: z.string() }) },
        services: { scanImage: ({ at }: { at: string }) => [`scanner:${at}`] },
        receivers: {
          scanImage: ({ at }: { at: string }) => [{ kind: 'webhook', path: ['scans', 'one', 'at'], address: at }],
        },
        sections: {
          scans: z.record(z.string(), z.strictObject({ at: z.string(), retry: frame.retry })).default({}),
          scanner: z.strictObject({ retry: z.int() }).optional(),
        },
        after: { scans: 'deps' },
        entries: { 'tests.import.scans': z.strictObject({ import: z.literal('scans'), file: z.string() }) },
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

test('given a section of a feature, then it stands where the feature says, and the file may have it', () => {
  const names = Object.keys((releaseFileSchema() as { properties: object }).properties);
  expect(names.slice(names.indexOf('deps')).slice(0, 3)).toEqual(['deps', 'scans', 'sdists']);
  expect(names.at(-1)).toBe('scanner');
  const { content } = readReleaseFile(`${HEAD}scans: { one: { at: here } }\n`, 'slipway.yaml');
  expect(content).toMatchObject({ scans: { one: { at: 'here' } } });
});

test('given retries of the whole file, then they may name a section whose entries have some, and reach them', () => {
  const { content } = readReleaseFile(
    `${HEAD}scans: { one: { at: here } }\nretry: { scans: { outage: 1h } }\n`,
    'slipway.yaml',
  );
  expect(withRetries(content)).toMatchObject({ scans: { one: { retry: { outage: 3_600_000 } } } });
  expect(problemsIn('retry: { scanner: { outage: 1h } }\n')).toEqual([expect.stringContaining('unknown key')]);
});

test.each([
  ['{ import: scans, file: list }', []],
  ['{ import: scans }', ['"file" is missing']],
  ['{ import: ray }', ['"files" is missing']],
  ['{ import: scan }', ['"scan": a test is of import ray or scans']],
])('given the entry %s of a section with forms of two owners, then its key decides: %j', (entry, problems) => {
  expect(problemsIn(`tests: { one: ${entry} }\n`)).toEqual(problems);
});

const problemsIn = (text: string): readonly string[] => {
  try {
    readReleaseFile(`${HEAD}${text}`, 'slipway.yaml');
    return [];
  } catch (caught) {
    return (caught as { problems: readonly { message: string }[] }).problems.map(({ message }) => message);
  }
};
