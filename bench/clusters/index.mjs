import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { committed } from '../committed.mjs';
import { inHome } from '../example.mjs';
import { inTurn, middle, timed } from '../measure.mjs';
import { ratioAtMost, row } from '../rows.mjs';

const HERE = new URL('.', import.meta.url).pathname;
const SYSTEM = '[libstdc++6, libssl3, libffi8, zlib1g, libbz2-1.0, liblzma5, procps]';
const fileOf = (label) => `slipway: 1
pipeline: { name: bench, label: ${label} }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
deps: { ray: { requires: ['ray[default]==2.60.0'] } }
bases: { node: { debian: bookworm, packages: ${SYSTEM} } }
clusters:
  one: { manager: local, cpus: 2 }
  three: { manager: docker, base: node, nodes: 3, cpus: 1, memory: 1200m }
tests:
  one: { needs: [deps/ray], cluster: one, run: 'python {files}/squares.py', files: [squares.py], result: result.json }
  three: { needs: [deps/ray], cluster: three, run: 'python {files}/squares.py', files: [squares.py], result: result.json }
`;

/** The attempt of a test on a cluster, from the environment to the result, against a script that does the same with the same Ray. */
export async function clusters({ root, folder, runs }) {
  const home = join(folder, 'clusters');
  const cache = join(process.env.SLIPWAY_HOME ?? join(root, '.slipway'), 'cache');
  mkdirSync(cache, { recursive: true });
  return inHome({ root, home, cache }, async (env) => {
    const ground = new Ground({ root, home, env, project: join(folder, 'clusters-project') });
    const ways = Object.fromEntries(
      ['one', 'three'].flatMap((name) => [
        [name, (no) => ground.attempt(name, no)],
        [`${name} by a script`, () => ground.script(name, cache)],
      ]),
    );
    const taken = await inTurn(runs ?? 3, ways);
    return [
      ['one', 'a test on one node'],
      ['three', 'a test on three containers'],
    ].map(([name, what]) =>
      row(`${what}, against a script with the same Ray`, middle(taken[name]) / 1000, 's', {
        ...{ reference: middle(taken[`${name} by a script`]) / 1000, goal: ratioAtMost(1.15) },
      }),
    );
  });
}

class Ground {
  #run = '';

  constructor({ root, home, env, project }) {
    const require = createRequire(import.meta.url);
    const of = (path) => require(join(root, 'dist', path));
    Object.assign(this, { root, home, env, project, records: of('model/run-folder.js').records });
    this.store = of('adapters/store/directory.js').createDirectoryStore(join(home, 'store'));
    mkdirSync(project, { recursive: true });
    copyFileSync(join(HERE, 'squares.py'), join(project, 'squares.py'));
    writeFileSync(join(project, 'slipway.yaml'), fileOf('n0'));
    committed(project);
  }

  /** Runs one test under a label of its own. Returns the milliseconds of its attempt. */
  async attempt(name, no) {
    const file = join(this.project, 'slipway.yaml');
    writeFileSync(file, fileOf(`n${no}-${name}`));
    const slipway = (...argv) =>
      promisify(execFile)(process.execPath, [join(this.root, 'bin', 'slipway.js'), ...argv], {
        ...{ env: this.env, maxBuffer: 2 ** 28 },
      });
    await slipway('run', file, '--wait', '--only', `tests/${name}`);
    const { stdout } = await slipway('status', '--json');
    const { run, steps } = JSON.parse(stdout).status;
    this.#run = run;
    return (await this.#resultOf(steps.find(({ id }) => id.startsWith(`tests/${name}`)).id)).made.ms;
  }

  async script(name, cache) {
    const work = mkdtempSync('/tmp/ray-');
    const tools = join(this.root, '.tools', 'bin');
    const python = execFileSync(join(tools, 'uv'), ['python', 'find', '3.11'], { encoding: 'utf8' }).trim();
    const prefix = execFileSync(python, ['-c', 'import sys; print(sys.base_prefix)'], { encoding: 'utf8' }).trim();
    const lock = join(work, 'ray.txt');
    await this.store.fetch(await this.#artifact('deps/ray', 'lock'), lock);
    const env = {
      ...{ PATH: process.env.PATH, HOME: work, WORK: work, CACHE: cache, LOCK: lock, UV: join(tools, 'uv') },
      ...{ PYTHON: python, PREFIX: prefix, FILES: this.project, NAME: `bench-${process.pid}` },
      ...(name === 'three' && (await this.#docker())),
    };
    const alone = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const argv = name === 'one' ? [...alone, join(HERE, 'one-node.sh')] : [join(HERE, 'three-nodes.sh')];
    try {
      return await timed(argv, { env });
    } finally {
      rmSync(work, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async #docker() {
    const { services } = JSON.parse(readFileSync(join(this.home, 'services.json'), 'utf8'));
    const [{ digest, labels }] = (await this.#resultOf(await this.#stepOf('bases/node'))).artifacts;
    return {
      DOCKER_HOST: services.docker.address,
      IMAGE: `${services.staging.address}/${labels.repository}@${digest}`,
    };
  }

  async #stepOf(prefix) {
    const folder = this.records.result(this.#run, '');
    return (await this.store.list(folder)).find((name) => name.startsWith(folder + prefix)).slice(folder.length);
  }

  #resultOf(step) {
    return this.store.read(this.records.result(this.#run, step));
  }

  async #artifact(prefix, kind) {
    const { artifacts } = await this.#resultOf(await this.#stepOf(prefix));
    return artifacts.find((one) => one.kind === kind).digest;
  }
}
