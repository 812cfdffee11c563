import type { Problem } from '../failure.js';

export interface Elsewhere {
  readonly target: string;
  readonly address: string;
  readonly why: string;
}

export const rehearsalElsewhere = ({ target, address, why }: Elsewhere): Problem => ({
  code: 'REHEARSAL_ELSEWHERE',
  class: 'config',
  message: `a rehearsal opens every gate, and its target ${JSON.stringify(target)} is at ${JSON.stringify(address)}: ${why}`,
  next: 'Write `rehearsal: false` in the profile, or give the target an address of this machine: service:NAME, http://127.0.0.1:PORT/.',
});
