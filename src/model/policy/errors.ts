import type { Problem } from '../failure.js';

export interface Elsewhere {
  /** `its target "hub"`, `clusters.far` */
  readonly whose: string;
  readonly address: string;
  readonly why: string;
}

export const rehearsalElsewhere = ({ whose, address, why }: Elsewhere): Problem => ({
  code: 'REHEARSAL_ELSEWHERE',
  class: 'config',
  message: `a rehearsal opens every gate, and ${whose} is at ${JSON.stringify(address)}: ${why}`,
  next: 'Write `rehearsal: false` in the profile, or give it an address of this machine: service:NAME, http://127.0.0.1:PORT/.',
});

export const addressLinkLocal = ({ whose, address, why }: Elsewhere): Problem => ({
  code: 'ADDRESS_LINK_LOCAL',
  class: 'denied',
  message: `${whose} is at ${JSON.stringify(address)}: ${why}; such addresses serve credentials of cloud machines`,
  next: 'Write the address of the server that is meant. A name is judged by the addresses that this machine finds for it.',
});
