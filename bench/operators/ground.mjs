import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { homeServer } from '../home-server.mjs';
import { setTimeout as pause } from 'node:timers/promises';
import { committed } from '../committed.mjs';
import { timed } from '../measure.mjs';

/** Resolves with what `so` answers once it answers something. */
export async function until(so) {
  for (;;) {
    const answer = await so();
    if (answer) return answer;
    await pause(5);
  }
}

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** A home with services up, and small releases in it whose steps write down when they do what. */
export class Ground {
  static async begin({ root, folder, env, note }) {
    const require = createRequire(import.meta.url);
    const load = (...path) => require(join(root, 'dist', ...path));
    const { server } = homeServer(root, env.SLIPWAY_HOME);
    const { address } = server;
    const client = await load('client', 'connect.js').connect({ home: env.SLIPWAY_HOME });
    const { startOf } = load('adapters', 'process', 'identity.js');
    const { Connection, Client } = require('@temporalio/client');
    const connection = await Connection.connect(server);
    return new Ground({
      root,
      folder,
      env,
      note,
      address,
      server,
      client,
      connection,
      Connection,
      Client,
      startOf,
      temporal: new Client({ connection }),
    });
  }

  #no = 0;

  constructor(parts) {
    Object.assign(this, parts);
  }

  async end() {
    await this.client.close();
    await this.connection.close();
  }

  /** Starts a release with these steps; `at(name)` is when a step wrote that name down, in ms since 1970. */
  async release(steps) {
    const no = ++this.#no;
    const folder = join(this.folder, `release-${no}`);
    const marks = join(this.folder, `marks-${no}`);
    for (const made of [folder, marks]) mkdirSync(made, { recursive: true });
    const text = `slipway: 1\nisolation: none\nrelease: { name: bench, version: 1.0.${no} }\nsource: { git: ., commit: HEAD }\nplatforms: [linux-x86_64]\npythons: [cp311]\nsteps:\n`;
    const lines = Object.entries(steps).map(([name, { run, needs = [] }]) => {
      const script = `mark() { date +%s%N >> ${marks}/$1; }; until_told() { while [ ! -e ${marks}/go ]; do sleep 0.01; done; }; ${run}`;
      return `  ${name}: ${JSON.stringify({ run: script, needs })}\n`;
    });
    writeFileSync(join(folder, 'slipway.yaml'), text + lines.join(''));
    committed(folder);
    await timed([process.execPath, join(this.root, 'bin', 'slipway.js'), 'run', folder], { env: this.env });
    return this.#release(`rehearsal/bench/1.0.${no}`, marks);
  }

  #release(workflowId, marks) {
    const times = (name) =>
      existsSync(join(marks, name))
        ? readFileSync(join(marks, name), 'utf8')
            .trim()
            .split('\n')
            .filter(Boolean)
            .map((ns) => Number(ns) / 1e6)
        : [];
    return {
      workflowId,
      /** The nth time that a step wrote this down, waited for. */
      at: (name, nth = 0) => until(() => times(name)[nth]),
      go: () => writeFileSync(join(marks, 'go'), ''),
      cancel: () => this.client.cancel(workflowId, 'the bench is done with it'),
      ended: () =>
        until(async () => {
          await pause(50);
          return (await this.client.status(workflowId)).state === 'ended';
        }),
    };
  }

  /** Ends a service by KILL; answers when, once nothing of it runs: a dying process takes a task with it that comes meanwhile. */
  async kill(service) {
    const { pid } = json(join(this.env.SLIPWAY_HOME, 'processes.json')).find(({ name }) => name === service);
    const atMs = Date.now();
    process.kill(pid, 'SIGKILL');
    await until(() => this.startOf(pid) === null);
    return { atMs };
  }

  /** When the next process began to poll, by its own log. */
  async polls(worker, { atMs }) {
    const file = join(this.env.SLIPWAY_HOME, 'log', `${worker}.log`);
    return until(() => {
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"worker polls"'));
      return lines.map((line) => JSON.parse(line).time).find((time) => time > atMs);
    });
  }

  /** When a server first answers about this run. Its port is tried every 5 ms: gRPC itself waits longer between two tries. */
  async serves(workflowId) {
    return until(async () => {
      if (!(await isOpen(this.address))) return null;
      const connection = await this.Connection.connect({ ...this.server, connectTimeout: 300 }).catch(() => null);
      const handle = connection && new this.Client({ connection }).workflow.getHandle(workflowId);
      const answered = await handle?.describe().then(
        () => Date.now(),
        () => null,
      );
      await connection?.close();
      return answered;
    });
  }

  /** When the server gives up a step that runs: the time-out of its heartbeats after the last of them. */
  async timesOut(workflowId) {
    const handle = this.temporal.workflow.getHandle(workflowId);
    const { raw } = await handle.describe();
    const beats = (raw.pendingActivities ?? []).filter(({ activityId }) => activityId.startsWith('steps/'));
    const { events } = await handle.fetchHistory();
    const scheduled = events
      .map((event) => event.activityTaskScheduledEventAttributes)
      .find((found) => found?.activityId === beats[0].activityId);
    return msOf(beats[0].lastHeartbeatTime ?? beats[0].lastStartedTime) + msOf(scheduled.heartbeatTimeout);
  }
}

const msOf = ({ seconds, nanos }) => Number(seconds) * 1000 + (nanos ?? 0) / 1e6;

function isOpen(address) {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const told = (open) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => told(true)).once('error', () => told(false));
  });
}
