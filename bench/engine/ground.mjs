import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { historiesOf } from '../history-chain.mjs';
import { Child, wrotePid } from './child.mjs';
import queues from './queues.cjs';
import shapes from './shapes.cjs';

/** Temporal's server as `slipway up` starts it, and two workers beside it, each a process of its own: one with Slipway's workflows, one
 * with the floor's. Their steps do nothing; nothing is stored but by Temporal. */
export class EngineGround {
  /** @param root of this checkout, built, with its tools
   * @param folder for the server's file and logs */
  static async begin({ root, folder, env = process.env }) {
    mkdirSync(folder, { recursive: true });
    const require = createRequire(join(root, 'package.json'));
    const ground = new EngineGround({ root, folder, env, require });
    const service = await ground.#serviceOf(require);
    ground.server = await ground.#startServer(service);
    ground.slipway = await ground.#startWorker('slipway');
    ground.floor = await ground.#startWorker('floor');
    const { Client, Connection } = require('@temporalio/client');
    ground.connection = await Connection.connect({ address: ground.address });
    const { dataConverter } = require(join(root, 'dist/adapters/temporal/codec/data-converter.js'));
    ground.client = new Client({ connection: ground.connection, dataConverter: await dataConverter({}) });
    return ground;
  }

  #count = 0;

  constructor(parts) {
    Object.assign(this, parts);
  }

  async end() {
    await this.connection?.close();
    for (const child of [this.slipway, this.floor, this.server]) await child?.kill();
  }

  /** A release of no-op steps: `{shape: 'flat' | 'chain' | 'random', steps, longMs}`.
   * @param over more of its input */
  async release(plan, over = {}) {
    const args = [{ file: JSON.stringify(plan), onFailure: 'fail', ...over }];
    const workflowId = `rehearsal/bench/${++this.#count}`;
    return this.client.workflow.start('release', { workflowId, taskQueue: 'control', args });
  }

  /** The hand-written workflow, with as many activities; a window of 1 is a chain.
   * @param plan given to it by an activity, as a release gets it; another keeps its verdict */
  async handwritten(count, { window = shapes.WINDOW, plan } = {}) {
    const records = plan && { file: JSON.stringify(plan) };
    const args = [{ count, window, queue: queues.FLOOR_STEPS, ...(records && { records }) }];
    return this.client.workflow.start('floor', { workflowId: `floor/${++this.#count}`, taskQueue: queues.FLOOR, args });
  }

  /** Describes the histories of a release, the first one first. */
  histories({ workflowId, firstExecutionRunId }) {
    return historiesOf(this.client, workflowId, firstExecutionRunId);
  }

  async #serviceOf(require) {
    const load = (file) => require(join(this.root, 'dist', 'services', file));
    this.node = load('catalog/worker.js').workflowNode(this.root); // as `slipway up` starts the worker of workflows
    const { lastPorts, takeQuietPorts } = load('free-ports.js');
    const home = join(this.folder, 'home');
    mkdirSync(home, { recursive: true });
    await takeQuietPorts(home);
    const ports = lastPorts(home);
    this.address = `127.0.0.1:${ports.temporal}`;
    // The CLI, which asks whether the server answers, finds it by this file. With a door its preparation writes it.
    const told = require(join(this.root, 'dist', 'adapters', 'home.js')).configFile(home);
    mkdirSync(dirname(told), { recursive: true });
    writeFileSync(told, `[profile.default]\naddress = "${this.address}"\n`);
    const toolsBin = join(this.root, '.tools', 'bin');
    const { serverArguments, temporal, temporalVersion } = load('catalog/temporal.js');
    const context = { home, ports, toolsBin, packageRoot: this.root, env: this.env, isRoot: false };
    const argv = [join(toolsBin, 'temporal'), ...serverArguments(context, join(home, 'temporal.db'))];
    return { ...temporal(context, await temporalVersion(toolsBin), false), argv };
  }

  /** Without a door: the engine alone is measured. */
  async #startServer({ argv, ...service }) {
    const server = this.#child('server', argv, () => service.answers());
    await server.start();
    await service.settle();
    return server;
  }

  async #startWorker(role) {
    const ready = join(this.folder, `${role}.ready`);
    const file = join(this.root, 'bench', 'engine', 'worker.cjs');
    const worker = this.#child(
      role,
      [process.execPath, ...this.node.flags, ...this.nodeOptions(role), file, role, this.address, ready],
      wrotePid(ready),
    );
    await worker.start();
    return worker;
  }

  /** For a look into one of them: `SLIPWAY_BENCH_NODE='--cpu-prof --cpu-prof-dir=DIR'`. */
  nodeOptions(role) {
    return role === 'slipway' ? (this.env.SLIPWAY_BENCH_NODE ?? '').split(' ').filter(Boolean) : [];
  }

  #child(name, argv, isReady) {
    const { root: cwd } = this;
    const env = { ...this.env, ...this.node.env };
    return new Child({ name, argv, env, cwd, log: join(this.folder, `${name}.log`), isReady });
  }
}
