import { campaigns } from './campaigns/schemas.js';
import { locks } from './locks/schemas.js';
import { spack } from './spack/schemas.js';
import type { FeatureSchemas } from '../model/schema/feature-schemas.js';

/** Schemas of features. Each `schemas.ts` imports zod, `model` and its own `schemas/` alone. */
export const FEATURE_SCHEMAS = { campaigns, locks, spack } as const satisfies Readonly<Record<string, FeatureSchemas>>;
