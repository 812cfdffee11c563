const { STEPS } = require('./queues.cjs');

const WINDOW = 50;
const RETRY = { infra: { times: 2, waitMs: 1000, atMostMs: 5000 }, lost: { times: 3, waitMs: 0, atMostMs: 0 } };

/** Which steps before it a step needs. */
const NEEDS = {
  /** No edges at all. */
  flat: () => [],
  /** No edges, and each step fails by its name. */
  held: () => [],
  chain: (step) => (step > 0 ? [step - 1] : []),
  /** Layers of 50; three of the layer above, drawn once and for all. */
  random: (step) => {
    if (step < WINDOW) return [];
    const above = (Math.floor(step / WINDOW) - 1) * WINDOW;
    return [...new Set([1, 2, 3].map((draw) => above + (hash(step * 4 + draw) % WINDOW)))];
  },
};

/** The same numbers on every machine. */
function hash(seed) {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A plan of steps that do nothing.
 * @param longMs the first step lasts so long, and nothing needs it */
exports.skeletonOf = ({ shape, steps, longMs = 0 }) => {
  const row = (id, needs, expectedMs) => ({
    ...{ id, kind: 'runCommand', stage: 'steps', on: STEPS, needs, wants: [], after: [] },
    ...{ limitMs: 60_000, expectedMs, retry: RETRY },
  });
  const ordinary = Array.from({ length: steps }, (_, step) =>
    row(`steps/${shape === 'held' ? 'held-' : 's'}${step}`, NEEDS[shape](step), 100),
  );
  const long = longMs > 0 ? [row(`steps/long-${longMs}`, [], longMs)] : [];
  return {
    ...{ plan: `sha256:${'a'.repeat(64)}`, name: 'bench', version: '1.0', rehearsal: true },
    ...{ steps: [...ordinary, ...long], dropped: [], windows: { [STEPS]: WINDOW } },
  };
};
exports.WINDOW = WINDOW;
