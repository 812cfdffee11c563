/** Data of features for all programs, the workflow bundle included. Each `kinds.ts` imports types alone. */
export const FEATURE_KINDS = {} as const;
