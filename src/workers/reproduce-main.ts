import '../adapters/tell-uncaught.js';
import { userInfo } from 'node:os';
import { reproduceStep, type Reproduce } from '../activities/reproduce/reproduce-step.js';
import { createPlans } from '../activities/step/inputs.js';
import { stagingLogins } from '../adapters/docker/connection.js';
import { createDocker } from '../adapters/docker/index.js';
import { createLogWriter } from '../adapters/logs/writer.js';
import { createShells } from '../adapters/process/shells.js';
import { createInterpreters } from '../adapters/python/interpreters.js';
import { FEATURE_NODES } from '../features/node.js';
import { createBodies } from './bodies.js';
import { surroundings } from './surroundings.js';

/** `slipway reproduce`: runs one step of a run at this terminal. */
async function main(): Promise<number> {
  const { SLIPWAY_REPRODUCE: request, ...env } = process.env;
  const around = await surroundings('reproduce', new AbortController().signal, ['worker']);
  const interpreters = createInterpreters(env);
  const tell = (line: string): void => void process.stderr.write(`slipway: ${line}\n`);
  return reproduceStep(JSON.parse(request ?? '{}') as Reproduce, {
    around: {
      ...around,
      env: { ...env, USER: env['USER'] ?? userInfo().username },
      openLog: () => createLogWriter(screen, 'reproduced'),
      python: async (tag) => (await interpreters.find(tag))?.path ?? null,
    },
    shells: createShells(createDocker(() => around.service('docker'), env, stagingLogins(around)).outside, env),
    planOf: createPlans(around.store, around.signatures),
    bodies: (own, between) => createBodies(own, { interpreters, containers: between.containers }, FEATURE_NODES),
    tell,
  });
}

const screen: Parameters<typeof createLogWriter>[0] = {
  create: (_, value) => {
    process.stderr.write((value as { readonly text?: string }).text ?? '');
    return Promise.resolve({ created: true, value });
  },
  list: () => Promise.resolve([]),
};

void main().then((code) => process.exit(code));
