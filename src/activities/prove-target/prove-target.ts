import { fail } from '../../model/failure.js';
import { connect } from '../publish/connect.js';
import { versionExists } from '../publish/errors.js';
import { hasLedger, isOurs } from '../publish/ledger.js';
import type { PublishPorts } from '../publish/ports.js';
import type { Body, Finding } from '../work.js';

const LATER = 'names are compared once they are built';

/** Checks before the build that the target is reachable and accepts the credential. The version must be free or already
 * ours. Without a ledger of the target the owner of a version is unknown: its bytes are compared after the build. */
export const createProveTarget =
  (ports: PublishPorts): Body<'proveTarget'> =>
  async (work) => {
    const { target: to, project, version, tags } = work.step.params;
    const target = ports.targets.open(await connect(work, to), work);
    const found = await target.prove(project, version, tags);
    if (found === null) return { artifacts: [], note: `answers; ${LATER}` };
    const strangers: string[] = [];
    for (const one of found) if (!(await isOurs(work, to.name, one))) strangers.push(one.name);
    if (strangers.length > 0) {
      if (await hasLedger(work, to.name)) throw fail(versionExists(to.name, version, strangers));
      return {
        artifacts: [],
        findings: [unknownHere(to.name, version, strangers)],
        note: `${version} is there; ${LATER}`,
      };
    }
    return {
      artifacts: [],
      findings: found.length === 0 ? [] : [alreadyOurs(to.name, version, found.length)],
      note: found.length === 0 ? `${version} is free` : `${version} is there from an earlier run; ${LATER}`,
    };
  };

const unknownHere = (target: string, version: string, names: readonly string[]): Finding => ({
  level: 'warning',
  code: 'VERSION_IS_THERE',
  subject: target,
  why: `it holds ${names.join(', ')} already, and this store has no ledger of ${target} that tells whether version ${version} is ours`,
  next: 'The same bytes are left as they are; other bytes end the release before anything is uploaded there.',
});

const alreadyOurs = (target: string, version: string, count: number): Finding => ({
  level: 'note',
  code: 'VERSION_IS_OURS',
  subject: target,
  why: `${count} of its names of version ${version} were published from here before`,
  next: 'They are compared by their bytes; the same bytes are left as they are.',
});
