import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { partFailed, policyInUse } from './problem.mjs';

const MARK = '# Copied by npm start from ';
const END = /# sha256 ([0-9a-f]{64})\n$/;
const digestOf = (text) => createHash('sha256').update(text).digest('hex');
/** A copy ends with a digest of its other lines: after an edit it is no copy. */
const isCopy = (text) => text.startsWith(MARK) && END.exec(text)?.[1] === digestOf(text.replace(END, ''));

/** Copies `policy.yaml` of an example into the home, and removes the copy for an example without one. A policy that somebody wrote or
 * edited there stays. A project outside of `examples` brings none: its author may be another person than the user of the worker.
 * @param openRuns returns the workflow ids of open runs */
export function layPolicy(root, releaseFile, { env = process.env, openRuns = () => runsOf(root) } = {}) {
  if (env.SLIPWAY_POLICY) return;
  const file = join(env.SLIPWAY_HOME ? resolve(env.SLIPWAY_HOME) : join(root, '.slipway'), 'policy.yaml');
  const there = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const wanted = wantedText(root, releaseFile);
  if (there === wanted) return;
  if (there !== null && !isCopy(there)) {
    if (wanted !== null) console.error(`policy: ${file} is your own, so that of the example is not used`);
    return;
  }
  // Also those of the same release: another file may have its name, and a policy changes under no run.
  const open = openRuns();
  if (open.length > 0) throw policyInUse(file, open);
  if (wanted === null) return rmSync(file);
  writeFileSync(`${file}.half`, wanted, { mode: 0o600 });
  renameSync(`${file}.half`, file);
  console.error(`policy: ${wanted.split('\n', 1)[0].slice(2)}`);
}

function wantedText(root, releaseFile) {
  const text = copyOf(root, releaseFile);
  return text === null ? null : `${text}# sha256 ${digestOf(text)}\n`;
}

function copyOf(root, releaseFile) {
  const examples = join(realpathSync(root), 'examples');
  const file = join(dirname(resolve(root, releaseFile)), 'policy.yaml');
  if (!existsSync(file) || !realpathSync(file).startsWith(`${examples}/`)) return null;
  const text = readFileSync(file, 'utf8').replace(/^repository: \.(?= |$)/m, `repository: ${JSON.stringify(root)}`);
  const from = `${MARK}${relative(examples, dirname(realpathSync(file)))}`;
  const branch = /^branches: \[(\S+)\]/m.exec(text)?.[1];
  // CI may fetch a commit without any branch. Where something could leave this machine, the rules of branches stay.
  if (branch === undefined || hasBranch(root, branch) || !isForHere(text)) return `${from}\n${text}`;
  return `${from}, without its branch: this checkout has no branch ${branch}\n${text.replace(/^(branches|repository): .*\n/gm, '')}`;
}

const hasBranch = (root, name) =>
  spawnSync('git', ['show-ref', '--verify', '--quiet', `refs/heads/${name}`], { cwd: root }).status === 0;

/** Whether each address of a policy is a service of the home. Another spelling of an address counts as elsewhere. */
function isForHere(text) {
  const rules = text.replace(/^(branches|repository): .*\n|(^|\s)#.*/gm, '');
  const count = (what) => rules.match(what)?.length ?? 0;
  return !rules.includes('//') && count(/address/g) === count(/\baddress: service:\w/g);
}

function runsOf(root) {
  const argv = [join(root, 'bin', 'slipway.js'), 'runs', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw partFailed('policy', 'slipway runs --json', status, stderr.split('\n'));
  const runs = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return runs.filter(({ open }) => open).map(({ workflowId }) => workflowId);
}
