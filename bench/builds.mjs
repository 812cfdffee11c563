import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inHome } from './example.mjs';
import { middle, timed } from './measure.mjs';
import { atMost, notTaken, ratioAtMost, row } from './rows.mjs';

const slipway = (root) => [process.execPath, join(root, 'bin', 'slipway.js')];
const HEAD = 'source: { git: ., commit: HEAD }\nplatforms: [linux-x86_64]\npythons: [cp312]\n';

/** Each takes half a minute on an idle machine. None is under every build. */
const PACKAGES = ['cmake', 'libjpeg62-turbo-dev', 'libxml2-dev'];
const BASES_ROW = 'a second `packages:` set of a suite, against apt-get in a container';
const BASES_GOAL = ratioAtMost(1.3);

/** A second set of Debian packages on a suite. The reference is `apt-get update` and `apt-get install` of the same packages in a
 * running container, made from the layer that all sets stand on. */
export async function bases({ root, folder }) {
  if (!existsSync('/usr/bin/mmdebstrap')) return [notTaken(BASES_ROW, 's', 'no mmdebstrap here', BASES_GOAL)];
  const project = projectIn(folder, 'bases');
  return inHome({ root, home: join(folder, 'b') }, async (env) => {
    await run(root, env, project, 'first', withPackages('first', ['libldap2-dev']));
    const status = await run(root, env, project, 'second', withPackages('second', PACKAGES));
    const ours = status.steps.find(({ kind }) => kind === 'makeBase').ms / 1000;
    return [row(BASES_ROW, ours, 's', { reference: await byHand(env), goal: BASES_GOAL })];
  });
}

const withPackages = (name, packages) =>
  `slipway: 1\nrelease: { name: ${name}, version: 1.0.0 }\n${HEAD}steps:\n  hull: { packages: [${packages}], run: 'true' }\n`;

/** Seconds that a person waits in a container that runs. */
async function byHand({ SLIPWAY_HOME }) {
  const { services } = JSON.parse(readFileSync(join(SLIPWAY_HOME, 'services.json'), 'utf8'));
  const env = { ...process.env, DOCKER_HOST: services.docker.address };
  const docker = (...argv) => execFileSync('docker', argv, { env, encoding: 'utf8' }).trim();
  const shared = docker('images', '--format', '{{.ID}} {{.CreatedAt}}', 'slipway/bases/debian-bookworm').split('\n');
  const newest = shared.sort((a, b) => (a.slice(13) < b.slice(13) ? 1 : -1))[0].split(' ')[0];
  const container = docker('run', '-d', '--rm', '--network', 'host', newest, 'sleep', '3600');
  try {
    const line = `apt-get -q update && apt-get -q -y --no-install-recommends install ${PACKAGES.join(' ')}`;
    const ask = ['docker', 'exec', '-e', 'DEBIAN_FRONTEND=noninteractive', container, 'sh', '-c', line];
    return (await timed(ask, { env })) / 1000;
  } finally {
    docker('rm', '-f', container);
  }
}

/** A build of ten seconds that leaves a wheel with a path of the builder in a script. */
const BUILD = `sleep 10; python - <<'END'
import base64, hashlib, os, zipfile
files = {
    "skiff-1.0.data/scripts/skiff": ("#!/bin/sh\\\\n. %s/activate\\\\n" % os.getcwd()).encode(),
    "skiff-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\\\\nName: skiff\\\\nVersion: 1.0\\\\n",
    "skiff-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\\\\nRoot-Is-Purelib: true\\\\nTag: py3-none-any\\\\n",
}
row = lambda name, text: "%s,sha256=%s,%d" % (name, base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("="), len(text))
rows = [row(*item) for item in files.items()] + ["skiff-1.0.dist-info/RECORD,,"]
files["skiff-1.0.dist-info/RECORD"] = "\\\\n".join(rows).encode() + b"\\\\n"
with zipfile.ZipFile(os.environ["TO"] + "/skiff-1.0-py3-none-any.whl", "w") as wheel:
    for name, text in files.items(): wheel.writestr(name, text)
END`;

/** From a finding that the release file has just accepted to the verdict, from a line typed to its answer. The reference is the run
 * that built the wheel and refused it. */
export async function accept({ root, folder, runs }) {
  const project = projectIn(folder, 'accept');
  const file = (accepted, round) =>
    `slipway: 1\nrelease: { name: accept-${round}, version: '1.0' }\n${HEAD}wheels:\n  skiff:\n    builder: command\n    env: { TO: '{out}', ROUND: '${round}' }\n    run: ${JSON.stringify(BUILD).replaceAll('\\\\\\\\n', '\\\\n')}\n` +
    `    platform: none\n    python: none\n${accepted ? "    accept: { BUILDER_PATH: 'nobody runs this script' }\n" : ''}`;
  return inHome({ root, home: join(folder, 'a') }, async (env) => {
    const times = { built: [], judged: [] };
    for (let round = 0; round <= (runs ?? 3); round++) {
      const built = await toVerdict(root, env, project, file(false, round), 'failed');
      const judged = await toVerdict(root, env, project, file(true, round), 'rehearsed');
      if (round === 0) continue;
      times.built.push(built);
      times.judged.push(judged);
    }
    const [reference, ours] = [times.built, times.judged].map((all) => middle(all) / 1000);
    return [row('changed `accept` to the verdict, against building', ours, 's', { reference, goal: atMost(5) })];
  });
}

async function toVerdict(root, env, project, text, wanted) {
  const path = join(project, 'slipway.yaml');
  writeFileSync(path, text);
  const began = performance.now();
  await timed([...slipway(root), 'run', path, '--wait', '--on-hold', 'fail'], { env }).catch(() => undefined);
  const ms = performance.now() - began;
  const { verdict } = statusOf(root, env, project);
  if (verdict?.verdict !== wanted) throw new Error(`the run ended ${verdict?.verdict}, not ${wanted}`);
  return ms;
}

async function run(root, env, project, name, text) {
  const path = join(project, `${name}.yaml`);
  writeFileSync(path, text);
  await timed([...slipway(root), 'run', path, '--wait'], { env });
  return statusOf(root, env, project);
}

const statusOf = (root, env, cwd) => {
  const [program, ...argv] = [...slipway(root), 'status', '--json'];
  return JSON.parse(execFileSync(program, argv, { env, cwd, encoding: 'utf8' })).status;
};

function projectIn(folder, name) {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'README'), name);
  const git = (...argv) => execFileSync('git', ['-C', project, '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', name);
  return project;
}
