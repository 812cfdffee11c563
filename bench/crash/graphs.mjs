/** Numbers in [0, 1) that are the same for the same seed: mulberry32. */
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WIDTH = 50;
const NEEDS = 3;

const SHAPES = {
  chain: (step) => (step > 0 ? [step - 1] : []),
  /** Layers of fifty; each step needs three of the layer above. */
  random: (step, random) => {
    const above = Math.floor(step / WIDTH) * WIDTH - WIDTH;
    if (above < 0) return [];
    const drawn = Array.from({ length: NEEDS }, () => above + Math.floor(random() * WIDTH));
    return [...new Set(drawn)].sort((a, b) => a - b);
  },
};
export const shapes = Object.keys(SHAPES);

export function skeletonOf(shape, steps, seed) {
  const random = chance(seed);
  const retry = { infra: { times: 2, waitMs: 1000, atMostMs: 5000 }, lost: { times: 20, waitMs: 0, atMostMs: 0 } };
  const row = (step) => ({
    ...{
      id: `steps/s${step}`,
      kind: 'runCommand',
      stage: 'steps',
      on: 'control',
      wants: [],
      after: [],
      limitMs: 60_000,
    },
    ...{ needs: SHAPES[shape](step, random), retry },
  });
  return {
    ...{ plan: `sha256:${'c'.repeat(64)}`, name: 'crash', version: '1.0.0', rehearsal: true, dropped: [] },
    ...{ steps: Array.from({ length: steps }, (_, step) => row(step)), windows: { control: WIDTH } },
  };
}

/** What passes between a generation and the root when one takes over from the other, in the order it does. */
const MOMENTS = [
  { moment: 'the report of the hand-over leaves', sign: '"handedOver":', way: 'leaves' },
  { moment: 'the report of the hand-over arrives', sign: '"handedOver":', way: 'comes' },
  { moment: 'the child is asked for', sign: '"baggage":', way: 'leaves' },
  { moment: 'the child begins', sign: '"baggage":', way: 'comes' },
  { moment: 'what drains tells an ending', sign: '"outcomes":', way: 'leaves' },
  { moment: 'an ending of what drains arrives', sign: '"outcomes":', way: 'comes' },
];
export const PROCESSES = ['workflows', 'server', 'steps'];
const VICTIMS = [['workflows'], ['server'], ['workflows', 'server'], ['workflows'], ['server'], ['workflows', 'steps']];
const LATEST_MS = 40;

/** Both at the moment itself, before the server knows of it, and shortly after.
 * @param generations how many there will be, about
 * @param among whom to kill */
export function killsOf(count, generations, seed, among) {
  const random = chance(seed + 1);
  const victims = VICTIMS.filter((all) => all.every((one) => among.includes(one)));
  const last = Math.max(1, Math.floor(generations * SURE));
  return Array.from({ length: count }, (_, no) => ({
    ...{ no, ...MOMENTS[no % MOMENTS.length], number: 1 + Math.floor(random() * last) },
    ...{ afterMs: random() < 0.4 ? 0 : Math.ceil(random() * LATEST_MS) },
    victims: victims[Math.floor(random() * victims.length)],
  }));
}
/** There may be fewer generations than it seems. */
const SURE = 0.6;
