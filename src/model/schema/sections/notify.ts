import { z } from 'zod';
import { NOTICE_EVENTS } from '../../listener.js';
import { SECRET } from '../../secret.js';
import { frame } from '../frame.js';
import { Duration, SECRET_IS_NAMED } from '../scalars.js';

const outlet = {
  webhook: z
    .string()
    .refine((text) => SECRET.test(text) || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(text), {
      message: `a webhook is an address, https://…; ${SECRET_IS_NAMED}`,
    })
    .optional()
    .describe('Gets JSON by POST, with a `text` as Slack reads it; $NAME where the address itself is a secret.'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/, 'a header is letters, digits and "-"'), z.string().min(1))
    .default({})
    .describe('webhook: further headers; values may be $NAME, file:/path or command:LINE.'),
  command: z
    .string()
    .min(1, 'a command is not empty')
    .optional()
    .describe(
      'A shell line, which gets the same JSON as the file $MESSAGE; {files}/tell.sh stands beside the release file.',
    ),
  secrets: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is letters, digits and "_"'))
    .default([])
    .describe('command: variables of the worker that it gets; all others are scrubbed.'),
};

const ONE = { message: 'a message goes out by `webhook` or by `command`: one of them' };
const isOne = (entry: { webhook?: string | undefined; command?: string | undefined }): boolean =>
  (entry.webhook === undefined) !== (entry.command === undefined);

export const Notify = z
  .strictObject({
    on: z
      .array(z.enum(NOTICE_EVENTS))
      .min(1, 'it is told of something')
      .default([...NOTICE_EVENTS])
      .describe('held, failed, gate, reminder, outage, verdict; all unless told.'),
    ...outlet,
    rehearsal: z.boolean().default(false).describe('Whether it is told of rehearsals too.'),
  })
  .refine(isOne, ONE);
export type Notify = z.infer<typeof Notify>;

export const Announce = z
  .strictObject({ ...outlet, timeout: frame.timeout, retry: frame.retry, onFailure: frame.onFailure })
  .refine(isOne, ONE);
export type Announce = z.infer<typeof Announce>;

export const Remind = z
  .strictObject({
    after: Duration.prefault('4h').describe('Time from the first message to the first reminder.'),
    every: Duration.prefault('24h').describe('Time between further ones.'),
  })
  .refine(({ after, every }) => after >= 1000 && every >= 1000, 'a reminder comes after a second at the earliest');
export type Remind = z.infer<typeof Remind>;
