import { problem } from '../problem.js';

export interface Elsewhere {
  /** `its target "hub"`, `clusters.far` */
  readonly whose: string;
  readonly address: string;
  readonly why: string;
}

export const rehearsalElsewhere = problem.config(({ whose, address, why }: Elsewhere) => [
  'REHEARSAL_ELSEWHERE',
  `a rehearsal opens every gate, and ${whose} is at ${JSON.stringify(address)}: ${why}`,
  'Write `rehearsal: false` in the profile, or give it an address of this machine: service:NAME, http://127.0.0.1:PORT/.',
]);
export const addressLinkLocal = problem.denied(({ whose, address, why }: Elsewhere) => [
  'ADDRESS_LINK_LOCAL',
  `${whose} is at ${JSON.stringify(address)}: ${why}; such addresses serve credentials of cloud machines`,
  'Write the address of the server that is meant. A name is judged by the addresses that this machine finds for it.',
]);
