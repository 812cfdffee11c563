import { locks } from './locks/schemas.js';
import type { FeatureSchemas } from '../model/schema/feature-schemas.js';

/** Schemas of features. Each `schemas.ts` imports zod, `model` and `model/schema` alone. */
export const FEATURE_SCHEMAS = { locks } as const satisfies Readonly<Record<string, FeatureSchemas>>;
