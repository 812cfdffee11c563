/** Workflows of features. */
export {};
