import { z } from 'zod';
import { Duration, InnerPath, Name } from '../scalars.js';

export const Gate = z
  .strictObject({
    approvers: z
      .record(Name, z.array(InnerPath).min(1, 'a group has at least one key'))
      .default({})
      .describe('Who may approve: OpenSSH public keys beside the release file, by group.'),
    quorum: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe('Approvals by different keys that it takes; 1 unless told. Two listed keys of one person count twice.'),
    expires: Duration.default(72 * 3_600_000).describe('How long an approval counts; 72h unless told.'),
    self: z.boolean().default(true).describe('Whether who started the run may approve it.'),
    signed: z
      .enum(['required', 'optional'])
      .default('required')
      .describe('Whether an approval without a signature counts; it is shown as unverified.'),
    for: Duration.optional().describe('How long the sealed bytes must have stood: 2h. With approvers: both.'),
    tests: z
      .enum(['passed', 'sealed'])
      .default('sealed')
      .describe('`passed`: stays shut where a test was left out or dropped; `sealed`: the manifest says so.'),
    before: z
      .array(z.string().regex(/^publish\/[A-Za-z0-9._-]+$/, 'a gate stands before targets: publish/NAME'))
      .min(1, 'a gate stands before something')
      .optional()
      .describe('Targets that it stands before: publish/NAME; all unless told.'),
  })
  .refine((gate) => gate.for !== undefined || gate.signed === 'optional' || keys(gate.approvers) > 0, {
    message: 'a gate waits for approvers, for a time, or for anybody (`signed: optional`)',
  })
  .refine((gate) => gate.signed === 'optional' || (gate.quorum ?? 0) <= keys(gate.approvers), {
    message: 'the quorum is larger than the number of approvers',
    path: ['quorum'],
  });
export type Gate = z.infer<typeof Gate>;

const keys = (approvers: Readonly<Record<string, readonly string[]>>): number =>
  new Set(Object.values(approvers).flat()).size;
