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
import { gatherNatives } from './natives/gather.js';
import { besideJar, jarOfNatives, layNatives, mustHold } from './natives/into-jar.js';
import { unpackNatives } from './natives/unpack-natives.js';
import type { JarPorts } from './ports.js';

/** JARs and POMs of a release, with their coordinates as labels; checked before anything is kept. */
export const createBuildJar = (ports: JarPorts): Body<'buildJar'> =>
  async function buildJar(work) {
    const tree = await sourceTree(work, ports.archives, join(work.folder, 'source'));
    if (tree === null) throw fail(jarSourceMissing(work.step.id));
    const { builder, folder, version } = work.step.params;
    const root = join(tree, folder);
    const natives = await nativesOf(work, ports);
    const laid = natives?.as === 'resources' ? await layNatives(work, root, natives.all) : null;
    const left = builder === 'maven' ? await byMaven(work, ports, root) : await byCommand(work, ports, root, laid);
    if (left.length === 0) throw fail(nothingBuilt(work.step.id, 'behind'));
    const problems = judgeJars(await inspect(work, left), await modulesOf(root), version);
    if (problems.length > 0) throw fail(problems);
    if (natives === null) return keep(work, left);
    const main = await jarOfNatives(work, root, left);
    if (natives.as === 'classifier') return keep(work, [...left, ...besideJar(main, natives.all)]);
    await mustHold(work, ports, main, natives.all);
    return keep(work, left);
  };

/** The libraries of all platforms on this machine; null where the JAR has none. */
async function nativesOf(work: Work<'buildJar'>, ports: JarPorts) {
  const { natives } = work.step.params;
  if (natives === null) return null;
  const found = await gatherNatives(work, natives.from, natives.waitMs);
  return { as: natives.as, all: await unpackNatives(work, ports, found) };
}

async function keep(work: Work<'buildJar'>, left: readonly Left[]) {
  const artifacts = [];
  for (const { path, name, coordinates } of left) {
    artifacts.push(await work.keep(path, 'jar', { ...work.step.axes, ...labelsOf(coordinates) }, name));
  }
  const projects = [...new Set(left.map(({ coordinates }) => `${coordinates.groupId}:${coordinates.artifactId}`))];
  return { artifacts, facts: { projects }, note: `${projects.join(', ')}: ${artifacts.length} files` };
}
