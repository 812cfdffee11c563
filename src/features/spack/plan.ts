import type { FeaturePlan } from '../../plan/feature.js';
import { importSpack } from './pure/import-spack.js';
import { specs } from './pure/specs.js';

export const spack = { stages: { specs }, importers: { spack: importSpack } } satisfies FeaturePlan;
