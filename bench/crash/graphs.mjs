import { randomOf } from '../../tools/random.cjs';

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
  const random = randomOf(seed);
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
