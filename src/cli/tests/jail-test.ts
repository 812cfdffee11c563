import { fail, type Problem } from '../../model/failure.js';
import type { Standings, TestAction } from '../../model/tests/standing.js';
import { reasonMissing } from '../errors.js';
import type { Input } from '../command.js';
import { jailOver, notADate, notInJail, ownerMissing } from './errors.js';
import type { Ports, TestsPort } from '../ports.js';
import { sender } from '../send-action.js';

type Options = Input['options'];

/** Puts a test into jail. Returns a sentence. Throws all that is wrong with the options at once. */
export async function jailTest(
  test: string,
  { tests }: Standings,
  options: Options,
  port: TestsPort,
  ports: Ports,
): Promise<string> {
  const { owner, reason } = options;
  const until = await untilOf(options, port.nowMs);
  const found: Problem[] = [
    ...(typeof owner === 'string' && owner.trim() !== '' ? [] : [ownerMissing()]),
    ...(typeof until === 'string' ? [] : [until]),
    ...(typeof reason === 'string' && reason.trim() !== '' ? [] : [reasonMissing('tests jail')]),
  ];
  if (found.length > 0) throw fail(found);
  const jail = { action: 'jail', owner: clipped(owner), until: String(until), reason: clipped(reason) } as const;
  const no = await port.act({ ...said(test, options, port, ports), ...jail });
  return `${tests[test]!.title} is in jail until ${jail.until}: it blocks nothing, and still runs (action ${no})`;
}

export async function unjailTest(
  test: string,
  { tests }: Standings,
  options: Options,
  port: TestsPort,
  ports: Ports,
): Promise<string> {
  const { reason } = options;
  const { title, state } = tests[test]!;
  const found: Problem[] = [
    ...(state === 'jailed' ? [] : [notInJail(title, state)]),
    ...(typeof reason === 'string' && reason.trim() !== '' ? [] : [reasonMissing('tests unjail')]),
  ];
  if (found.length > 0) throw fail(found);
  const no = await port.act({ ...said(test, options, port, ports), action: 'unjail', reason: clipped(reason) });
  return `${title} is out of jail: it blocks again if it fails (action ${no})`;
}

const said = (test: string, options: Options, { nowMs }: TestsPort, ports: Ports): Pick<TestAction, keyof Said> => ({
  ...{ slipway: 1, test, at: new Date(nowMs).toISOString() },
  by: clipped(sender(options, ports) ?? 'unknown'),
});
type Said = { slipway: 1; test: string; by: string; at: string };

/** Readers refuse longer texts. */
const LONGEST = 500;
const clipped = (text: string | boolean | undefined): string => String(text).slice(0, LONGEST);

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/** The end of a jail in ISO 8601, or what is wrong with it. */
async function untilOf({ until, for: span }: Options, nowMs: number): Promise<string | Problem> {
  if ((until === undefined) === (span === undefined)) return notADate('--until or --for', 'one of them is needed');
  const ms = until === undefined ? await spanEnd(String(span), nowMs) : dateOf(String(until));
  if (!Number.isFinite(ms)) return notADate(until === undefined ? '--for' : '--until', JSON.stringify(until ?? span));
  return ms > nowMs ? new Date(ms).toISOString() : jailOver(new Date(ms).toISOString());
}

const dateOf = (text: string): number => (DATE.test(text) ? Date.parse(text) : NaN);
const spanEnd = async (text: string, nowMs: number): Promise<number> => {
  // Lazy import: `--help` loads no schema.
  const { Duration } = await import('../../model/schema/scalars.js');
  const { data } = Duration.safeParse(text);
  return data === undefined ? NaN : nowMs + data;
};
