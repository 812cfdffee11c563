import { short } from '../../../model/digest.js';
import type { Finding } from '../../../model/finding.js';
import type { Work } from '../../work.js';
import type { Left } from '../inspect.js';
import type { JarPorts } from '../ports.js';
import { gatherNatives, type Native } from './gather.js';
import { besideJar, jarOfNatives, layNatives, mustHold } from './into-jar.js';
import { unpackNatives } from './unpack-natives.js';

export interface Natives {
  /** Folder of the natives during the build. Null if they are published beside the JAR. */
  readonly laid: string | null;
  readonly findings: readonly Finding[];
  /** Returns the files to keep of those that the build left. Throws if the JAR lacks a native. */
  complete(left: readonly Left[]): Promise<readonly Left[]>;
}

export async function takeNatives(work: Work<'buildJar'>, ports: JarPorts, root: string): Promise<Natives | null> {
  const { natives } = work.step.params;
  if (natives === null) return null;
  const found = await gatherNatives(work, natives.from, natives.waitMs);
  const all = await unpackNatives(work, ports, found);
  const findings = found.filter(({ ref }) => ref.step === null).map(fromElsewhere);
  const mainOf = (left: readonly Left[]): Promise<Left> => jarOfNatives(work, root, left);
  if (natives.as === 'classifier')
    return { laid: null, findings, complete: async (left) => [...left, ...besideJar(await mainOf(left), all)] };
  return {
    laid: await layNatives(work, root, all),
    findings,
    complete: async (left) => {
      await mustHold(work, ports, await mainOf(left), all);
      return left;
    },
  };
}

/** Records in the manifest that another run made these bytes. */
const fromElsewhere = ({ ref, digest }: Native): Finding => ({
  level: 'note',
  code: 'NATIVE_FROM_ELSEWHERE',
  subject: ref.path,
  why: `the libraries of ${ref.for.name} were built by another pipeline of this commit: ${short(digest)}`,
  next: '',
});
