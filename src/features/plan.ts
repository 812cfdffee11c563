/** Stages and checks of features. Programs hand the list in. */
export const FEATURE_PLANS = {} as const;
