/** Schemas of features. Each `schemas.ts` imports zod, `model` and `model/schema` alone. */
export const FEATURE_SCHEMAS = {} as const;
