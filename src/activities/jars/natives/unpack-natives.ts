import { join } from 'node:path';
import { faultOf } from '../../../engine/checks/archive.js';
import { judgeNative } from '../../../engine/checks/native.js';
import { fail, type Problem } from '../../../model/failure.js';
import { collisions, type NativeFile } from '../../../plan/natives.js';
import { readNative } from '../../natives/read-native.js';
import { newFolder } from '../../step/inside.js';
import { findFiles } from '../../steps/outputs.js';
import { refused } from '../../wheels/errors.js';
import type { Work } from '../../work.js';
import type { JarPorts } from '../ports.js';
import { nativeEmpty, nativeMisplaced } from './errors.js';
import type { Native } from './gather.js';

export interface Unpacked extends Native {
  readonly jar: string;
  readonly folder: string;
  /** Paths of its libraries, relative to the JAR's root. */
  readonly files: readonly string[];
}

/** Fetches and unpacks the JARs. Throws if a JAR is empty, for another machine, or has a file outside its folder.
 * Throws if two platforms share a path. */
export async function unpackNatives(
  work: Work<'buildJar'>,
  ports: JarPorts,
  natives: readonly Native[],
): Promise<readonly Unpacked[]> {
  const unpacked: Unpacked[] = [];
  const place = newFolder(work, 'natives');
  for (const [index, native] of natives.entries())
    unpacked.push(await one(work, ports, native, join(place, String(index))));
  const problems = [
    ...(await Promise.all(unpacked.map((native) => judged(work.step.id, native)))).flat(),
    ...clashes(work, unpacked),
  ];
  if (problems.length > 0) throw fail(problems);
  return unpacked;
}

async function one(work: Work<'buildJar'>, ports: JarPorts, native: Native, folder: string): Promise<Unpacked> {
  const jar = `${folder}.jar`;
  await work.store.fetch(native.digest, jar);
  await ports.archives.unpack(jar, folder, (member) => {
    const fault = member.kind === 'link' ? 'is a link' : faultOf(member);
    if (fault !== null) return { refuse: fault };
    return member.kind === 'folder' || member.name.startsWith('META-INF/') ? null : member.name;
  });
  return { ...native, jar, folder, files: await findFiles(work, folder, ['**']) };
}

async function judged(step: string, { ref, folder, files }: Unpacked): Promise<readonly Problem[]> {
  if (files.length === 0) return [nativeEmpty(step, ref.for.name, ref.path)];
  const misplaced = files.filter((path) => !path.startsWith(`${ref.folder}/`));
  const found = misplaced.map((path) => nativeMisplaced(step, ref.for.name, path, ref.folder));
  for (const path of files) {
    const facts = await readNative(join(folder, path));
    const findings = facts === null ? [] : judgeNative(path, facts, ref.for);
    found.push(...findings.filter(({ level }) => level === 'error').map(refused));
  }
  return found;
}

/** Paths must differ within one JAR. JARs with classifiers never collide. */
const clashes = ({ step }: Work<'buildJar'>, unpacked: readonly Unpacked[]): readonly Problem[] =>
  step.params.natives?.as === 'classifier'
    ? []
    : collisions(
        step.id,
        unpacked.flatMap(({ ref, files }) => files.map((path): NativeFile => ({ platform: ref.for.name, path }))),
      );
