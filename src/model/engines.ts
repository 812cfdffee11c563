/** Versions of the scheduler's rules. A change that answers the same inputs with other commands gets a new number. Old
 * numbers stay because histories hold them. An open run takes the newest when it continues as new.
 *
 * 4: a step that only wants a told failure starts without it.
 * 5: an action counts after what else came with it. */
export const ENGINES = [3, 4, 5] as const;

export const NEWEST_ENGINE: number = ENGINES.at(-1)!;
