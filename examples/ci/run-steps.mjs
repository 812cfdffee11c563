// node examples/ci/run-steps.mjs FILE: runs in a clean folder what release.yml, pipeline.yml or .gitlab-ci.yml hand to a shell.
// FILE stands in examples/ci. Values of variables, secrets and inputs come from the environment; an input `name` is RELEASE_NAME.
// A step gets those that its file gives it, and no others. The first command that fails ends it with its exit code.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

const { env } = process;
const [file = ''] = process.argv.slice(2);
/** By name of the file: its steps, each a script with its variables. */
const READERS = { 'release.yml': githubSteps, 'pipeline.yml': buildkiteSteps, '.gitlab-ci.yml': gitlabSteps };
/** What every job has. `npm_config_…` is where this machine's npm finds packages. */
const MACHINE = /^(PATH|HOME|TMPDIR|npm_config_.*)$/i;
const ORDINARY = /^(RELEASE_.*|SLIPWAY_TARBALL|SLIPWAY_MARK|TEMPORAL_(ADDRESS|NAMESPACE|TLS_SERVER_NAME))$/;
const ANY = /^(RELEASE|SLIPWAY|TEMPORAL|CODEC)_/;

const read = READERS[basename(file)];
if (read === undefined) {
  console.error(`usage: node examples/ci/run-steps.mjs FILE; FILE is one of ${Object.keys(READERS).join(', ')}`);
  process.exit(2);
}
process.exitCode = run(read(parse(readFileSync(file, 'utf8'))));

function run(steps) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-ci-'));
  try {
    mkdirSync(join(folder, 'ci'));
    copyFileSync(new URL('start-release.mjs', import.meta.url), join(folder, 'ci', 'start-release.mjs'));
    for (const { script, variables } of steps) {
      console.log(`== ${basename(file)}: ${script.trim().replaceAll('\n', '; ')}`);
      const options = { cwd: folder, env: { ...named(MACHINE), ...variables }, stdio: ['ignore', 'inherit', 'inherit'] };
      const { status } = spawnSync('bash', ['-e', '-c', script], options);
      if (status !== 0) return status ?? 1;
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function named(pattern) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => pattern.test(name)));
}

/** `${{ vars.NAME }}` and `${{ secrets.NAME }}` that nobody set are empty texts. Steps with `uses` run no command here. */
function githubSteps({ jobs }) {
  const value = (text) =>
    String(text).replaceAll(/\$\{\{ *(vars|secrets|inputs)\.(\w+) *\}\}/g, (_, kind, name) => {
      return env[kind === 'inputs' ? `RELEASE_${name.toUpperCase()}` : name] ?? '';
    });
  const values = (all = {}) => Object.fromEntries(Object.entries(all).map(([name, text]) => [name, value(text)]));
  return Object.values(jobs).flatMap((job) =>
    job.steps
      .filter(({ run: script }) => script !== undefined)
      .map((step) => ({ script: value(step.run), variables: { ...values(job.env), ...values(step.env) } })),
  );
}

/** `pipeline upload` fills in `$NAME`, and leaves one dollar of two. */
function buildkiteSteps({ steps }) {
  const uploaded = (text) => text.replaceAll(/\$(\$|\w+)/g, (_, name) => (name === '$' ? '$' : (env[name] ?? '')));
  return steps.map(({ commands, secrets = [] }) => ({
    script: commands.map(uploaded).join('\n'),
    variables: { ...named(ORDINARY), ...Object.fromEntries(secrets.map((name) => [name, env[name] ?? ''])) },
  }));
}

/** A job has all variables of its project. */
function gitlabSteps(jobs) {
  return Object.values(jobs).map(({ script }) => ({ script: script.join('\n'), variables: named(ANY) }));
}
