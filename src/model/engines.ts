/** Rules by which schedulers of this build decide. A change that answers the same inputs with other commands is a new number: the old
 * ones stay, since histories hold them. An open run takes up newer ones when it continues as new. */
export const ENGINES = [3] as const;

export const NEWEST_ENGINE: number = ENGINES.at(-1)!;
