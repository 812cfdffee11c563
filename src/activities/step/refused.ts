import type { Result } from '../../model/result.js';
import type { Work } from '../work.js';

type Memory = Pick<Work, 'remember' | 'recall'>;

const nameOf = ({ key, artifacts }: Pick<Result, 'key' | 'artifacts'>): string =>
  `refused-${[key, ...artifacts.map(({ digest }) => digest)].map((digest) => digest.slice(7, 23)).join('-')}`;

/** Within one run nothing but the bytes can change a judgement: a retry makes those anew that the run refused before. */
export const wasRefused = async (work: Memory, part: Result): Promise<boolean> =>
  (await work.recall(nameOf(part))) !== null;

export const noteRefused = (work: Memory, part: Result): Promise<unknown> => work.remember(nameOf(part), true);
