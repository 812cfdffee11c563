import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { serverArguments } = require(join(root, 'dist/services/catalog/temporal.js'));
const { WORKFLOW_SOURCES } = require(join(root, 'dist/workers/workflow-code.js'));
const { payloadCodecs } = require(join(root, 'dist/adapters/temporal/codec/data-converter.js'));
const { Client, Connection } = require('@temporalio/client');
const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');

/** The data converter of workers and clients without keys. */
export const dataConverter = { payloadCodecs: payloadCodecs() };

/** Faults to find: text of the bundle, and what stands there instead. */
export const PLANTED = {
  /** Each query changes what the next activation writes into history. */
  'query-counts': [
    /const now = `\$\{state\} \$\{held\}`;/,
    'const now = `${state} ${held} ${globalThis.asked ?? 0}`;',
    /status\(\) \{/,
    'status() { globalThis.asked = (globalThis.asked ?? 0) + 1;',
  ],
  /** A query that overtakes a workflow task advances the cached workflow. */
  'no-guard': [/isPremature = !asksOnly &&/, 'isPremature = false &&'],
};

function planted(code, plant) {
  const pairs = PLANTED[plant];
  let changed = code;
  for (let at = 0; at < pairs.length; at += 2) {
    if (!pairs[at].test(changed)) throw new Error(`nothing to plant ${plant} into: ${pairs[at]}`);
    changed = changed.replace(pairs[at], pairs[at + 1]);
  }
  return changed;
}

/** A server on a file and workers, each a process of its own that is started again at once where it ends. */
export class Ground {
  #children = new Map();
  #retired = new Set();

  static async begin(folder, { skeleton, kills, cached, taskSeconds, plant }) {
    const [temporal, page] = [await freePort(), await freePort()];
    const ground = new Ground(folder, { temporal, page }, taskSeconds);
    const write = (file, what) => writeFileSync(join(folder, file), JSON.stringify(what));
    write('setting.json', { address: ground.address, cached });
    write('skeleton.json', skeleton);
    write('kills.json', kills);
    for (const log of ['kills.log', 'steps.log']) writeFileSync(join(folder, log), '');
    const { code } = await bundleWorkflowCode({ ...WORKFLOW_SOURCES, logger: new DefaultLogger('ERROR') });
    writeFileSync(join(folder, 'workflows.bundle.js'), plant === null ? code : planted(code, plant));
    for (const signal of ['SIGTERM', 'SIGINT'])
      process.once(signal, () => void ground.end().then(() => process.exit(1)));
    ground.#keep('server');
    await ground.serves();
    ground.#keep('workflows');
    ground.#keep('steps');
    return ground;
  }

  /** @param taskSeconds after so long without an answer the server gives a workflow task to another worker */
  constructor(folder, ports, taskSeconds) {
    this.folder = folder;
    this.taskSeconds = taskSeconds;
    this.ports = ports;
    this.address = `127.0.0.1:${ports.temporal}`;
  }

  #argv(name) {
    const worker = [process.execPath, join(root, 'bench/crash/worker.cjs'), this.folder, name];
    const server = [
      join(root, '.tools/bin/temporal'),
      ...serverArguments({ ports: this.ports }, join(this.folder, 'temporal.db')),
      ...['--dynamic-config-value', `history.defaultWorkflowTaskTimeout="${this.taskSeconds}s"`],
    ];
    return name === 'server' ? server : worker;
  }

  #keep(name) {
    if (this.#retired.has(name)) return;
    const [program, ...args] = this.#argv(name);
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(program, args, { stdio: ['ignore', log, log], cwd: this.folder });
    closeSync(log);
    this.#children.set(name, child);
    const pids = Object.fromEntries([...this.#children].map(([role, { pid }]) => [role, pid]));
    writeFileSync(join(this.folder, 'pids.json'), JSON.stringify(pids));
    // One that ends by itself may do so because the server is away: not faster than a person could look.
    child.once('exit', (_, signal) => setTimeout(() => this.#keep(name), signal === 'SIGKILL' ? 0 : 200));
  }

  /** A connection of one's own each time, so that no back-off of a library counts. */
  async connect() {
    for (;;) {
      const connection = await Connection.connect({ address: this.address, connectTimeout: 500 }).catch(() => null);
      if (connection) return connection;
      await pause(50);
    }
  }

  async serves() {
    for (;;) {
      const connection = await this.connect();
      const there = await connection.workflowService.describeNamespace({ namespace: 'default' }).then(
        () => true,
        () => false,
      );
      await connection.close();
      if (there) return;
      await pause(50);
    }
  }

  /** Asks until a server answers: it may be away just now. */
  async ask(question) {
    for (;;) {
      const connection = await this.connect();
      try {
        return await question(new Client({ connection, dataConverter }));
      } catch (error) {
        if (!isAway(error)) throw error;
        await pause(100);
      } finally {
        await connection.close().catch(() => undefined);
      }
    }
  }

  /** The workflow worker's log tells of a history that its code does not follow. */
  diverges() {
    return readFileSync(join(this.folder, 'workflows.log'), 'utf8').includes('TMPRL1100');
  }

  /** The end of a process's log. */
  lastWords(name) {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8').slice(-2000);
  }

  /** Stops a process by SIGSTOP; the answer lets it go on. Null: it is not there just now. */
  stop(name) {
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    child.kill('SIGSTOP');
    return () => child.kill('SIGCONT');
  }

  /** The kills that happened. */
  kills() {
    const lines = readFileSync(join(this.folder, 'kills.log'), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** Ends a process for good. */
  async retire(name) {
    this.#retired.add(name);
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => (child.once('exit', resolve), child.kill('SIGKILL')));
  }

  async end() {
    await Promise.all(['server', 'workflows', 'steps'].map((name) => this.retire(name)));
  }
}

/** gRPC: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE. */
const AWAY = [1, 2, 4, 8, 13, 14];
const isAway = (error) => AWAY.includes(error?.code ?? error?.cause?.code);

async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await new Promise((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
