/** The first engine number that draws nonces. Each draw moves every later random number of a run. */
const DRAWN_SINCE = 2;

/** Returns the nonce of an opening: 128 random bits in hex. Older engine numbers use the number of the opening.
 * @param random uniform in [0, 1) */
export const nonceOf = (engine: number, opening: number, random: () => number): string =>
  engine < DRAWN_SINCE ? `opening ${opening}` : [0, 1, 2, 3].map(() => word(random())).join('');

const word = (random: number): string =>
  Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
