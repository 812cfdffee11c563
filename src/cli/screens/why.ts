import type { Changed } from '../../engine/why/changed.js';
import { nameOf, type MadeAnew } from '../../engine/why/made.js';
import type { Link } from '../../engine/why/skipped.js';
import type { Why } from '../../engine/why/why.js';
import { first, plain, table, type Colours } from '../render/paint.js';

/** Fields, or waits, told before the rest is counted. */
const TOLD = 12;
const ALL = 'slipway why --json';
const NEXT_TOLD = 3;
const LONGEST = 60;

/** The answer first, then what it is drawn from, then what to type.
 * @param run as the person named it; told again with what to type */
export function whyLines(why: Why, run: string | undefined, paint: Colours): string[] {
  const again = run === undefined ? '' : ` --run ${run}`;
  return [
    `${paint.bold(plain(why.step))} ${plain(why.because)}`,
    ...madeLines(why, again, paint),
    ...waitLines(why),
    ...chainLines(why.chain?.slice(1) ?? []),
    ...(why.next === undefined ? [] : [`  ${paint.cyan('next:')} ${plain(why.next)}`]),
  ];
}

/** Returns a chain of causes. A long chain shows both ends. */
function chainLines(chain: readonly Link[]): string[] {
  const between = Math.max(0, chain.length - 2 * CHAIN_END);
  const begin = between > 0 ? chain.slice(0, CHAIN_END) : chain;
  const lines = [...begin, ...(between > 0 ? chain.slice(-CHAIN_END) : [])].map(
    ({ step, because }, depth) =>
      `  ${'  '.repeat(depth)}because of ${plain(step)}${because === undefined ? '' : plain(`: ${because}`)}`,
  );
  if (between > 0) lines.splice(CHAIN_END, 0, `  ${'  '.repeat(CHAIN_END)}… ${between} between: slipway why --json`);
  return lines;
}
const CHAIN_END = 6;

function madeLines({ made, because }: Why, again: string, paint: Colours): string[] {
  if (made === undefined) return [];
  const begun = because.includes(made.because);
  return [
    ...(begun ? [] : [`  not reused: ${plain(made.because)}`]),
    ...(made.against === undefined || !COMPARED.includes(made.reason)
      ? []
      : [`  compared with ${plain(nameOf(made.against))}`]),
    ...changedLines(made.changed, again, paint),
  ];
}

/** Reasons that compare with another run. */
const COMPARED: readonly MadeAnew['reason'][] = ['changed', 'lost', 'unknown'];

function changedLines(changed: readonly Changed[], again: string, paint: Colours): string[] {
  const row = ({ field, before, after }: Changed): readonly string[] => [plain(field), ...shownBoth(before, after)];
  const from = [...new Set(changed.flatMap((one) => (one.from === undefined ? [] : [one.from])))];
  return [
    ...first(changed, TOLD, (rows) => table(rows.map(row)).map((line) => `  ${line}`), ALL).map((line) => `  ${line}`),
    ...from.slice(0, 3).map((step) => `  ${paint.cyan('next:')} slipway why ${plain(step)}${again}`),
  ];
}

/** Long texts from a little before where they begin to differ. */
function shownBoth(before: string | null, after: string | null): readonly string[] {
  const [was, is] = [lineOf(before), lineOf(after)];
  const differ = [...was].findIndex((letter, at) => letter !== is[at]);
  const from = Math.max(was.length, is.length) <= LONGEST || differ < 0 ? 0 : Math.max(0, differ - BEFORE);
  return [excerpt(was, from), '→', excerpt(is, from)];
}
const BEFORE = 15;

const lineOf = (text: string | null): string => (text === null ? '(nothing)' : plain(text.replaceAll('\n', '⏎')));

function excerpt(line: string, from: number): string {
  const rest = `${from > 0 ? '…' : ''}${line.slice(from)}`;
  return rest.length > LONGEST ? `${rest.slice(0, LONGEST - 1)}…` : rest;
}

function waitLines({ waits, because }: Why): string[] {
  if (waits === undefined) return [];
  const words = new Set(waits.flatMap((wait) => (wait.next === undefined ? [] : [plain(wait.next)])));
  const next = [...words].slice(0, NEXT_TOLD).map((word) => `  next: ${word}`);
  if (waits.length === 1)
    return because.includes(waits[0]!.because) ? next : [`  waits: ${plain(waits[0]!.because)}`, ...next];
  return [...first(waits, TOLD, (some) => some.map((one) => `  ${plain(one.because)}`), ALL), ...next];
}
