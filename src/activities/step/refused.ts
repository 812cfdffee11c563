import type { Result } from '../../model/result.js';
import type { Work } from '../work.js';

type Memory = Pick<Work, 'remember' | 'recall'>;

const nameOf = ({ key, artifacts }: Pick<Result, 'key' | 'artifacts'>): string =>
  `refused-${[key, ...artifacts.map(({ digest }) => digest)].map((digest) => digest.slice(7, 23)).join('-')}`;

/** True if this run refused these bytes before. Judging the same bytes again cannot change the verdict, so a retry
 * makes new ones. */
export const wasRefused = async (work: Memory, part: Result): Promise<boolean> =>
  (await work.recall(nameOf(part))) !== null;

export const noteRefused = (work: Memory, part: Result): Promise<unknown> => work.remember(nameOf(part), true);
