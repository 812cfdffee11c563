/** What features plan. Programs hand the list in. */
export const FEATURE_PLANS = {} as const;
