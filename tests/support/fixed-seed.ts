import fc from 'fast-check';

/** Recorded, so that `npm test` draws the same values each time. */
export const SEED = 20_261_122;

// The first failure ends the property and tells seed and path. Type the path into `fc.assert` to shrink it.
fc.configureGlobal({ seed: SEED, endOnFailure: true });

export { fc };
