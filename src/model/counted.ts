/** `1 step`, `3 steps`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a time as ISO 8601, without fractions of a second. */
export const clock = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
