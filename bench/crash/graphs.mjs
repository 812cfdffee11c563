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
