import type { Move, Night, Standing, Standings } from '../../model/tests/standing.js';

/** Label that every issue has, and by which issues are found. */
export const ISSUE_LABEL = 'release-test';

const MOST_TITLE = 200;
const plain = (text: string): string => text.replace(/[`<>\r\n]/g, ' ').trim();

/** A joiner of no width keeps GitHub from telling a user or a team that a text names. An entity can stand for `@`. */
const quiet = (text: string): string => text.replace(/@|&(?=[#a-z])/gi, '$&\u200d');
const shown = (text: string): string => quiet(plain(text));

/** Mark in the body of an issue: of which test of which standings it is. It names no run: a test has one open issue. */
export const issueMark = ({ pipeline, profile, branch }: Standings, test: string): string =>
  `<!-- slipway issue ${encodeURI(`${pipeline}/${profile}/${branch}/${test}`)} -->`;

/** Mark of the night in which an issue was opened. */
export const nightMark = ({ run }: Night): string => `<!-- slipway opened ${run} -->`;

/** Mark in a comment: for which move of which run it was written. */
export const commentMark = (run: string, { test, from, to }: Move): string =>
  `<!-- slipway comment ${run} ${encodeURI(`${test} ${from === to ? 'blamed' : to}`)} -->`;

export const titleOf = ({ title }: Standing): string => `Release test ${plain(title)} fails`.slice(0, MOST_TITLE);

/** The body of a new issue. */
export function bodyOf(standings: Standings, move: Move, standing: Standing): string {
  const night = standings.nights.at(-1)!;
  return [
    `The release test \`${shown(standing.title)}\` of \`${shown(standings.pipeline)}\` is ${move.to}: ${shown(move.because)}.`,
    '',
    `| | |`,
    `|---|---|`,
    `| label | \`${shown(night.label)}\` |`,
    `| run | \`${night.run}\` |`,
    `| commit | ${night.commit === null ? 'unknown' : `\`${shown(night.commit)}\``} |`,
    `| branch | \`${shown(standings.branch)}\` |`,
    `| last results | \`${standing.letters.slice(-10)}\` |`,
    ...(standing.blamed === null ? [] : [`| blamed | \`${shown(standing.blamed)}\` |`]),
    '',
    `Type \`slipway tests show ${plain(move.test)}\` for its history.`,
    '',
    issueMark(standings, move.test),
    nightMark(night),
  ].join('\n');
}

/** A comment. The text is a sentence of the standings. */
export const commentOf = (text: string, mark: string): string => `${quiet(text.replace(/[<>]/g, ' '))}\n\n${mark}`;
