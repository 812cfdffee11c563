import type { Target } from '../../model/target.js';
import type { Work } from '../work.js';
import { noteSeen } from './ledger.js';
import { otherBytesAre, type Looking } from './look.js';
import type { PublishPorts } from './ports.js';
import { replacedBy } from './publishers.js';

/** Returns how a publish step looks at a target: it notes what it sees, and judges other bytes. */
export const lookingFor = (work: Work<'publishArtifacts'>, ports: PublishPorts, target: Target): Looking => ({
  others: otherBytesAre(work.step),
  saw: (item, digest) => noteSeen(work, target.name, item, digest),
  replacedBy: (item, bytes) => replacedBy(work, ports, target, item, bytes),
});
