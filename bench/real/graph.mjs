const WIDTH = 50;

/** A random layered graph: 50 wide, each step needs three of the layer above; 50 to 500 ms of CPU a step. */
export function layers(count) {
  let seed = 1;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const above = (at) => (Math.floor(at / WIDTH) - 1) * WIDTH + Math.floor(random() * WIDTH);
  return Array.from({ length: count }, (_, at) => ({
    name: `s${at}`,
    needs: at < WIDTH ? [] : [...new Set([above(at), above(at), above(at)])].map((one) => `s${one}`),
    cpuMs: 50 + random() * 450,
  }));
}

/** Longest way through the graph, by what each step really took. @param cpuMs by name */
export function criticalMs(steps, cpuMs) {
  const ends = new Map();
  for (const { name, needs } of steps)
    ends.set(name, Math.max(0, ...needs.map((need) => ends.get(need))) + cpuMs.get(name));
  return Math.max(...ends.values());
}

/** The same graph and the same command for each. @param lineOf the command of a step */
export const makefile = (steps, lineOf) =>
  [
    `.PHONY: all ${steps.map(({ name }) => name).join(' ')}`,
    `all: ${steps.map(({ name }) => name).join(' ')}`,
    ...steps.map((step) => `${step.name}: ${step.needs.join(' ')}\n\t@${lineOf(step)}`),
    '',
  ].join('\n');

export const ninjafile = (steps, lineOf) =>
  [
    'rule burn\n  command = $line',
    ...steps.map((step) => `build ${step.name}: burn ${step.needs.join(' ')}\n  line = ${lineOf(step)}`),
    '',
  ].join('\n');

export const releaseFile = (steps, lineOf, version) =>
  [
    'slipway: 1',
    `release: { name: real, version: ${version} }`,
    'source: { git: ., commit: HEAD }',
    'platforms: [linux-x86_64]',
    'pythons: [cp311]',
    'steps:',
    ...steps.map((step) => {
      const needs = step.needs.map((need) => `steps/${need}`);
      return `  ${step.name}: ${JSON.stringify({ run: lineOf(step), needs })}`;
    }),
    '',
  ].join('\n');
