import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Artifact } from '../../model/artifact.js';
import type { KindName } from '../../model/kinds.js';
import { installLocks, makeVenv } from '../step/uv.js';
import type { Work } from '../work.js';
import { nothingToTest, pythonUnclear } from './errors.js';
import { onHost } from './on-host.js';
import type { TestLocation } from './place.js';
import type { TestPorts } from './ports.js';

type Test = Work<'runTest'>;

/** Runs a test in a fresh virtual environment with only the locked requirements and the built wheels. */
export async function inVenv(work: Test, ports: TestPorts, out: string): Promise<TestLocation> {
  const python = pythonOf(work);
  if (!work.artifacts('wheel').some((wheel) => suits(wheel, python))) throw fail(nothingToTest(work.step.id, 'wheel'));
  const { venv, prefix } = await fillVenv(work, python);
  const bin = join(venv, 'bin');
  return onHost(work, ports, out, { VIRTUAL_ENV: venv, PATH: `${bin}:${work.env()['PATH'] ?? ''}` }, [prefix]);
}

/** A virtual environment, and the folder of the interpreter below it. */
export interface FilledVenv {
  readonly venv: string;
  readonly prefix: string;
}

/** Makes a virtual environment with the locks and then the wheels among the inputs that suit a Python. */
export async function fillVenv<K extends KindName>(work: Work<K>, python: string): Promise<FilledVenv> {
  const venv = join(work.folder, 'venv');
  await makeVenv(work, interpreter(work, python), venv);
  const inside = join(venv, 'bin', 'python');
  const locks = work.artifacts('lock').filter((one) => suits(one, python));
  for (const [index, lock] of locks.entries()) {
    const file = await work.fetch(lock, join(work.folder, 'deps'), `${lock.digest.slice(7, 19)}.txt`);
    await installLocks(work, { python: inside, isFilled: index > 0 }, [file]);
  }
  const wheels = work.artifacts('wheel').filter((wheel) => suits(wheel, python));
  const paths = await Promise.all(wheels.map((wheel) => work.fetch(wheel, join(work.folder, 'wheels'))));
  const install = ['uv', 'pip', 'install', '-q', '--no-config', '--python', inside];
  if (paths.length > 0) await work.must([...install, '--no-deps', '--no-index', ...paths]);
  return { venv, prefix: dirname(dirname(realpathSync(inside))) };
}

/** An artifact without a Python fits every Python. */
const suits = (artifact: Artifact, python: string): boolean => {
  const made = artifact.labels['python'];
  return made === undefined || made === 'none' || made === python;
};

/** Returns the test's own Python, else the one of all its wheels. Throws TEST_PYTHON_UNCLEAR. */
export function pythonOf(work: Work<'runTest' | 'runOnCluster'>): string {
  const named = work.step.params.python ?? work.step.axes['python'];
  if (named) return named;
  const made = new Set(work.artifacts('wheel').map((wheel) => wheel.labels['python']));
  const [only] = made;
  if (made.size !== 1 || only === undefined) throw fail(pythonUnclear(work.step.id));
  return only;
}

/** Returns the interpreter that `prove` pinned on this machine, else the version for uv: cp312 is 3.12. */
const interpreter = <K extends KindName>(work: Work<K>, python: string): string =>
  work.toolchain?.pythons[python] ?? python.replace(/^cp(\d)(\d+)$/, '$1.$2');
