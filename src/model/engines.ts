/** Rules by which schedulers of this build decide. A change that answers the same inputs with other commands is a new number: the old
 * ones stay, since histories hold them, and an open run takes up newer ones only where a generation begins. */
export const ENGINES = [1, 2] as const;

export const NEWEST_ENGINE: number = ENGINES.at(-1)!;
