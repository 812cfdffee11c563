import { z } from 'zod';
import type { FeatureSchemas } from '../../src/model/schema/feature-schemas.js';

const shape = z.strictObject({ import: z.literal('ray') });
const shelf = { entry: {}, profile: {}, extra: null, plan: () => null };

const OTHER: FeatureSchemas = { sections: { scans: shape }, params: { scan: shape } };
const CORE = 'the core';
const FIRST = 'feature "other"';

test.each<[what: string, FeatureSchemas, module: string, first: string]>([
  ['section "tests"', { sections: { tests: shape } }, 'release-file', CORE],
  ['section "scans"', { sections: { scans: shape } }, 'release-file', FIRST],
  ['form of an entry "tests.import.ray"', { entries: { 'tests.import.ray': shape } }, 'release-file', CORE],
  ['schema of the kind "runTest"', { params: { runTest: shape } }, 'params', CORE],
  ['schema of the kind "scan"', { params: { scan: shape } }, 'params', FIRST],
  [
    'key of `publish` "path"',
    { targets: { shelf: { ...shelf, entry: { path: z.string().optional() } } } },
    'sections/publish',
    CORE,
  ],
  [
    'key of a target in a profile "reads"',
    { targets: { shelf: { ...shelf, profile: { reads: z.string().optional() } } } },
    'profile',
    CORE,
  ],
])('given a %s that two own, then the start names both', (what, sample, module, first) => {
  jest.isolateModules(() => {
    jest.doMock('../../src/features/schemas.js', () => ({ FEATURE_SCHEMAS: { other: OTHER, sample } }));
    expect(() => require(`../../src/model/schema/${module}.js`)).toThrow(
      `${first} and feature "sample" both have a ${what}`,
    );
  });
});
