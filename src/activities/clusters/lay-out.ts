import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../model/json.js';
import { quoted } from '../../model/quoted.js';
import { isVariable, textOfValue } from '../../model/secret.js';
import { isForeign, type LimitedLine } from '../../model/tests/cluster.js';
import { fail } from '../../model/failure.js';
import { layOut } from '../images/context.js';
import { lineEnv } from '../steps/line-env.js';
import { sourceTree } from '../source/tree.js';
import { writeInside } from '../step/inside.js';
import type { Archives } from '../source/ports.js';
import type { Work } from '../work.js';
import { workingFolderAbsent } from './errors.js';

export const RESULT_FILE = 'result.json';
export const METRICS_FILE = 'metrics.json';

/** Scripts of one attempt. `keep` copies the artifact. */
export type ScriptName = 'prepare' | 'run' | 'keep';

type Test = Work<'runOnCluster'>;

/** Folders of a test on this machine. */
export interface TestFolders {
  /** Files that `put` copies. */
  readonly all: string;
  readonly out: string;
}

/** Lays out the source tree and an empty folder for results. */
export async function layOutTest(work: Test, archives: Archives): Promise<TestFolders> {
  const all = join(work.folder, 'test');
  const out = join(all, 'out');
  for (const folder of [out, join(out, 'artifact'), join(all, 'source')]) mkdirSync(folder, { recursive: true });
  const { folder } = work.step.params;
  if (folder !== null) {
    await sourceTree(work, archives, join(all, 'source'));
    if (!existsSync(join(all, 'source', folder))) throw fail(workingFolderAbsent(work.step.id, folder));
  }
  // The head of such a cluster sees nothing of this machine: what the test needs goes there with `put`.
  if (isForeign(work.step.params.cluster.manager)) await layOut(work, all, { emptyToo: false });
  const { label, title, ...config } = work.step.params;
  writeFileSync(join(out, 'test_config.json'), canonical({ label, name: title, ...config }));
  return { all, out };
}

/** Writes a line and its environment as a script that a shell of the head runs.
 * @param at path of the folder on the head @param files path of the bundle's files on the head */
export async function writeScript(
  work: Test,
  { all }: TestFolders,
  name: ScriptName,
  line: LimitedLine,
  head: { readonly at: string; readonly files: string },
): Promise<void> {
  const { params } = work.step;
  const folders = { files: head.files, out: join(head.at, 'out') };
  const env = {
    ...given(work, head.at),
    ...(await revealed(work, lineEnv({ env: params.env }, folders))),
    // Such a value may be the name of a branch, so it is never a reference.
    ...line.vars,
  };
  const file = (suffix: string): string => join(all, `${name}.${suffix}`);
  const variables = Object.entries(env).map(([key, value]) => `export ${key}=${quoted(value)}\n`);
  // A node runs code of the tested wheel already, and may write into this folder.
  writeInside(work, file('env'), variables.join(''), 0o600);
  writeInside(work, file('line'), `${line.run}\n`);
  const own = join(head.at, name);
  const cwd = join(head.at, 'source', params.folder ?? '.');
  const script = `. ${quoted(`${own}.env`)}\ncd ${quoted(cwd)}\nexec bash -x ${quoted(`${own}.line`)}\n`;
  writeInside(work, file('sh'), script);
}

/** Variables that Ray's release tests read. */
function given(work: Test, at: string): Record<string, string> {
  const { artifact, smoke } = work.step.params;
  return {
    TEST_OUTPUT_JSON: join(at, 'out', RESULT_FILE),
    METRICS_OUTPUT_JSON: join(at, 'out', METRICS_FILE),
    USER_GENERATED_ARTIFACT: artifact ?? '',
    PYTHONUNBUFFERED: '1',
    BUILDKITE_BRANCH: work.plan.source.branch ?? '',
    ...(smoke && { IS_SMOKE_TEST: '1' }),
  };
}

/** Looks up values that are the reference `$NAME`; `$$NAME` is the text `$NAME`. */
async function revealed(work: Test, env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const all = Object.entries(env).map(async ([name, value]) => [
    name,
    isVariable(value) ? await work.secret(value) : textOfValue(value),
  ]);
  return Object.fromEntries((await Promise.all(all)) as [string, string][]) as Record<string, string>;
}
