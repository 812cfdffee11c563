import { fail } from '../../model/failure.js';
import { placeOf } from '../../model/policy/place.js';
import { secretsFor } from '../../plan/policy/secrets.js';
import type { IndexPlace, NamedIndex, IndexOpener } from '../index/ports.js';
import { credentialUnlisted } from './errors.js';
import { assertAddressListed } from './judged-addresses.js';
import type { Hosts, WorkerPolicy } from './ports.js';
import type { Plan } from '../../model/plan.js';

/** The reader of an index, and its policy. */
interface Reader {
  readonly policy: WorkerPolicy;
  readonly hosts: Hosts;
  /** A person types a command; a worker plans what others wrote. */
  readonly by: 'worker' | 'command';
}

/** Wraps `open` so that an index is opened only where the policy allows it. Planning reads addresses before any step
 * asks the policy, and a user name is sent in clear to an endpoint. */
export const openAllowed =
  <P extends IndexPlace>(reader: Reader, open: (index: NamedIndex) => Promise<P>): IndexOpener<P> =>
  async (index) => {
    await assertReadable(reader, index);
    return open(index);
  };

/** Throws unless the policy lists the address of an index and its secrets. Without a policy a worker reads indexes of
 * this machine alone; a command also reads other ones, and shows them no variable. */
async function assertReadable({ policy, hosts, by }: Reader, { target, rehearsal }: NamedIndex): Promise<void> {
  const { address } = target;
  if (address.startsWith('service:')) return;
  if (by === 'command' && !rehearsal && (await policy.read()) === null) {
    const secrets = placeOf(target).here ? [] : secretsFor(target);
    if (secrets.length > 0) throw fail(credentialUnlisted(target, secrets, policy.path));
    return;
  }
  const plan = withoutSteps({ release: { name: '', version: '' }, profile: { name: '', rehearsal } });
  await assertAddressListed({ policy, hosts }, plan, { ...target, planned: address });
}

/** Returns a plan that builds nothing from any commit and runs no step: a policy judges its targets alone. */
export const withoutSteps = (head: Pick<Plan, 'release' | 'profile'>): Plan => ({
  ...head,
  slipway: 1,
  source: { kind: 'none', branch: null },
  ...{ bundle: [], steps: [], dropped: [], effects: [] },
});
