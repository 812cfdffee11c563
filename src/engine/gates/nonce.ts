/** The first rules that draw nonces. To draw one moves every later random number of a run. */
const DRAWN_SINCE = 2;

/** Name of a gate's opening: 128 random bits in hex. By older rules its number in the run.
 * @param random uniform in [0, 1) */
export const nonceOf = (engine: number, opening: number, random: () => number): string =>
  engine < DRAWN_SINCE ? `opening ${opening}` : [0, 1, 2, 3].map(() => word(random())).join('');

const word = (random: number): string =>
  Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
