import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../model/failure.js';
import type { Consequence, Move, Standings } from '../../model/tests/standing.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';
import { labelDropped } from './errors.js';
import { bodyOf, commentMark, commentOf, ISSUE_LABEL, issueMark, nightMark, titleOf } from './issue-text.js';
import { keepAction } from '../standings/chain.js';
import { chainOf, nightOf } from './nights.js';
import type { IssueTracker, TrackedIssue } from './ports.js';

type Asked<K extends Consequence['do']> = Extract<Consequence, { do: K }>;

interface DeskOptions {
  readonly blocker: string | null;
  /** Name of the report in actions. */
  readonly by: string;
  readonly lookWaitsMs?: readonly number[] | undefined;
}

/** Waits between looks for an issue that an earlier attempt asked for without an answer: a list shows new issues late. */
const LOOK_WAITS_MS: readonly number[] = [1_000, 4_000];

/** Returns an issue if its body has the mark of the test. Null for any other: a file that names another repository since leaves
 * numbers of issues that are not ours there. */
export async function issueAbout(
  tracker: IssueTracker,
  standings: Standings,
  test: string,
  number: number,
): Promise<TrackedIssue | null> {
  const found = await tracker.find(number);
  return found?.body.includes(issueMark(standings, test)) === true ? found : null;
}

/** Writes the issues of one night. Each method looks before it writes, so a second attempt repeats nothing. */
export class Desk {
  #listed: Promise<readonly TrackedIssue[]> | null = null;

  constructor(
    private readonly work: Work<'reportTests'>,
    private readonly tracker: IssueTracker,
    private readonly standings: Standings,
    private readonly options: DeskOptions,
  ) {}

  async open(move: Move, asked: Asked<'openIssue'>): Promise<void> {
    const { test } = move;
    if ((await this.#known(test)) !== null) return;
    const there = await this.#look(test);
    const issue = there ?? (await this.#create(move, asked));
    const isOurs = issue.body.includes(nightMark(nightOf(this.standings)));
    if (!isOurs) await this.#again(issue.number, move, asked);
    await keepAction(this.work.store, chainOf(this.standings), {
      ...{ slipway: 1, test, by: this.options.by, at: new Date().toISOString() },
      ...{ action: 'issue', issue: { number: issue.number, open: true } },
    });
    await this.work.remember(this.#key('issue', test), issue.number);
    this.work.log.write(`issue ${issue.number}: ${test} is ${move.to}\n`);
    if (isOurs && !issue.labels.includes(ISSUE_LABEL))
      throw fail(labelDropped(this.options.by, issue.number, ISSUE_LABEL));
  }

  async comment(move: Move, { issue, text, addLabels, removeLabels }: Asked<'comment'>): Promise<void> {
    const found = await this.#issueOf(move.test, issue);
    if (found === null) return this.work.log.note(`${move.test} has no issue: ${text}`);
    await this.#say(found.number, text, move);
    if (addLabels.length > 0) await this.tracker.addLabels(found.number, addLabels);
    for (const label of removeLabels) await this.tracker.removeLabel(found.number, label);
    this.work.log.write(`issue ${found.number}: ${text}\n`);
  }

  async close(move: Move, { issue, text }: Asked<'closeIssue'>): Promise<void> {
    const found = await this.#issueOf(move.test, issue);
    if (found === null) return this.work.log.note(`${move.test} has no issue: ${text}`);
    if (!found.open) return;
    await this.#say(found.number, text, move);
    await this.work.effect(() => this.tracker.close(found.number));
    this.work.log.write(`issue ${found.number} closed: ${text}\n`);
  }

  /** An issue of an earlier failure is open still. */
  async #again(issue: number, move: Move, asked: Asked<'openIssue'>): Promise<void> {
    const { label, run } = nightOf(this.standings);
    await this.#say(issue, `${move.to}: ${move.because}, in ${label} (run ${run}).`, move);
    await this.tracker.addLabels(issue, this.#labels(asked));
  }

  async #create(move: Move, asked: Asked<'openIssue'>): Promise<TrackedIssue> {
    const memory = this.#key('asked', move.test);
    const wasAsked = (await this.work.recall(memory)) !== null;
    const late = wasAsked ? await this.#lookAgain(move.test) : null;
    if (late !== null) return late;
    await this.work.remember(memory, true);
    const standing = this.standings.tests[move.test]!;
    const [title, body, labels] = [titleOf(standing), bodyOf(this.standings, move, standing), this.#labels(asked)];
    return this.work.effect(() => this.tracker.open({ title, body, labels }));
  }

  #labels({ labels, blocker }: Asked<'openIssue'>): readonly string[] {
    const { blocker: own } = this.options;
    return [...new Set([ISSUE_LABEL, ...labels, ...(blocker && own !== null ? [own] : [])])];
  }

  async #say(issue: number, text: string, move: Move): Promise<void> {
    const { at, run } = nightOf(this.standings);
    const mark = commentMark(run, move);
    const there = await this.tracker.comments(issue, at);
    if (there.some((body) => body.includes(mark))) return;
    await this.work.effect(() => this.tracker.comment(issue, commentOf(text, mark)));
  }

  /** Returns the issue by its known number, else by its mark. Null without one. */
  async #issueOf(test: string, said: number | null): Promise<TrackedIssue | null> {
    const number = (await this.#known(test)) ?? said;
    const found = number === null ? null : await issueAbout(this.tracker, this.standings, test, number);
    return found ?? this.#look(test);
  }

  async #look(test: string): Promise<TrackedIssue | null> {
    const own = this.standings.tests[test]?.issue ?? null;
    const known = own?.open ? await issueAbout(this.tracker, this.standings, test, own.number) : null;
    if (known?.open) return known;
    this.#listed ??= this.tracker.withLabel(ISSUE_LABEL);
    const ours = (await this.#listed).filter(({ body }) => body.includes(issueMark(this.standings, test)));
    const mark = nightMark(nightOf(this.standings));
    return ours.find(({ open }) => open) ?? ours.find(({ body }) => body.includes(mark)) ?? null;
  }

  async #lookAgain(test: string): Promise<TrackedIssue | null> {
    for (const waitMs of this.options.lookWaitsMs ?? LOOK_WAITS_MS) {
      await pause(waitMs, undefined, { signal: this.work.signal });
      this.#listed = null;
      const found = await this.#look(test);
      if (found !== null) return found;
    }
    return null;
  }

  #known(test: string): Promise<number | null> {
    return this.work.recall<number>(this.#key('issue', test));
  }

  /** A test's name may be longer than a file name. */
  #key(what: string, test: string): string {
    return `${what}-${nightOf(this.standings).no}-${sha256(test).slice(7, 23)}`;
  }
}
