import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Params } from '../../model/params.js';
import type { Result } from '../../model/result.js';
import { noteRefused, wasRefused } from '../step/refused.js';
import { sourceTree, workingFolder } from '../source/tree.js';
import type { Body, Made, Work } from '../work.js';
import { byCommand } from './by-command.js';
import { byMaven, fillRepository } from './by-maven.js';
import { jarSourceMissing, nothingBuilt } from './errors.js';
import { inspect, modulesOf, type Left } from './inspect.js';
import { judgeJars, type Module } from './judge.js';
import { labelsOf } from './layout.js';
import { takeNatives } from './natives/take-natives.js';
import type { JarPorts } from './ports.js';
import { preparedTree } from './prepared-tree.js';

type Jars = Work<'buildJar'>;

/** Parameters that only the checks read; the step key of the bytes leaves them out. */
const JUDGED: readonly (keyof Params['buildJar'])[] = ['accept'];

interface BytesFacts {
  readonly projects: readonly string[];
  readonly modules: readonly Module[];
}

/** Builds JARs and POMs with their coordinates as labels. The bytes are built once; the checks run in each attempt. */
export const createBuildJar = (ports: JarPorts): Body<'buildJar'> =>
  async function buildJar(work) {
    const believe = async (known: Result): Promise<boolean> => !(await wasRefused(work, known));
    const part = { name: 'bytes', epoch: 1, ignores: JUDGED, believe };
    const bytes = await work.part(part, () => makeBytes(work, ports));
    const { projects, modules } = bytes.facts as unknown as BytesFacts;
    const { problems, findings } = judgeJars(
      await inspect(work, ports.archives, bytes.artifacts),
      modules,
      work.step.params,
    );
    if (problems.length > 0) {
      await noteRefused(work, bytes);
      throw fail(problems);
    }
    return {
      artifacts: bytes.artifacts,
      facts: { projects },
      findings: [...bytes.findings, ...findings],
      note: `${bytes.note}${bytes.reused ? ', built before' : ''}`,
    };
  };

async function makeBytes(work: Jars, ports: JarPorts): Promise<Made> {
  const left = leftOf(work);
  const tree = await sourceTree(work, ports.archives, join(work.folder, 'source'));
  if (tree === null) throw fail(jarSourceMissing(work.step.id));
  const { builder, folder } = work.step.params;
  // The line `prepare` is code of the project, and filling writes what other builds read.
  if (builder === 'maven') await fillRepository(work, ports, left());
  const root = workingFolder(await preparedTree(work, ports, tree, left()), folder);
  const natives = await takeNatives(work, ports, root);
  const laid = natives?.laid ?? null;
  const made =
    builder === 'maven' ? await byMaven(work, ports, root, left()) : await byCommand(work, ports, root, laid);
  if (made.length === 0) throw fail(nothingBuilt(work.step.id, 'behind'));
  const all = natives === null ? made : await natives.complete(made);
  return keep(work, all, { modules: await modulesOf(root), findings: natives?.findings ?? [] });
}

/** Returns the time that is left of the step's limit. Its programs share the limit: the last one ends before the
 * attempt does. */
function leftOf({ step }: Jars): () => number {
  const beganMs = performance.now();
  return () => Math.max(1, step.limitMs - Math.round(performance.now() - beganMs));
}

async function keep(
  work: Jars,
  left: readonly Left[],
  { modules, findings }: Pick<BytesFacts, 'modules'> & Required<Pick<Made, 'findings'>>,
): Promise<Made> {
  const artifacts = [];
  for (const { path, name, coordinates } of left) {
    artifacts.push(await work.keep(path, 'jar', { ...work.step.axes, ...labelsOf(coordinates) }, name));
  }
  const projects = [...new Set(left.map(({ coordinates }) => `${coordinates.groupId}:${coordinates.artifactId}`))];
  const facts = { projects, modules: modules.map((module) => ({ ...module })) };
  return { artifacts, facts, findings, note: `${projects.join(', ')}: ${artifacts.length} files` };
}
