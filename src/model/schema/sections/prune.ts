import { z } from 'zod';
import { Age } from '../scalars.js';

/** `prune: { TARGET: … }` */
export const Prune = z.strictObject({
  unused: Age.prefault('90d').describe('A wheel that was published or fetched within this time stays.'),
  grace: Age.prefault('7d').describe('Time between the removal from pages and the removal of the bytes.'),
  past: Age.prefault('180d').describe('How long wheels of a platform stay after its `until`.'),
});
export type Prune = z.infer<typeof Prune>;
