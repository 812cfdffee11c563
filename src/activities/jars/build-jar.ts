import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { sourceTree } from '../steps/source-tree.js';
import type { Body, Work } from '../work.js';
import { byCommand } from './by-command.js';
import { byMaven } from './by-maven.js';
import { jarSourceMissing, nothingBuilt } from './errors.js';
import { judgeJars } from './judge.js';
import { labelsOf } from './layout.js';
import { inspect, modulesOf } from './inspect.js';
import type { Left } from './inspect.js';
import { takeNatives } from './natives/take-natives.js';
import type { JarPorts } from './ports.js';

/** JARs and POMs of a release, with their coordinates as labels; checked before anything is kept. */
export const createBuildJar = (ports: JarPorts): Body<'buildJar'> =>
  async function buildJar(work) {
    const tree = await sourceTree(work, ports.archives, join(work.folder, 'source'));
    if (tree === null) throw fail(jarSourceMissing(work.step.id));
    const { builder, folder } = work.step.params;
    const root = join(tree, folder);
    const natives = await takeNatives(work, ports, root);
    const laid = natives?.laid ?? null;
    const left = builder === 'maven' ? await byMaven(work, ports, root) : await byCommand(work, ports, root, laid);
    if (left.length === 0) throw fail(nothingBuilt(work.step.id, 'behind'));
    const files = await inspect(work, ports.archives, left);
    const { problems, findings } = judgeJars(files, await modulesOf(root), work.step.params);
    if (problems.length > 0) throw fail(problems);
    const all = natives === null ? left : await natives.complete(left);
    return { ...(await keep(work, all)), findings: [...(natives?.findings ?? []), ...findings] };
  };

async function keep(work: Work<'buildJar'>, left: readonly Left[]) {
  const artifacts = [];
  for (const { path, name, coordinates } of left) {
    artifacts.push(await work.keep(path, 'jar', { ...work.step.axes, ...labelsOf(coordinates) }, name));
  }
  const projects = [...new Set(left.map(({ coordinates }) => `${coordinates.groupId}:${coordinates.artifactId}`))];
  return { artifacts, facts: { projects }, note: `${projects.join(', ')}: ${artifacts.length} files` };
}
