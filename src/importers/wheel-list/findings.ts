import { catalogue } from '../../model/catalogue.js';
import { placed, type SourceLocation } from '../../model/failure.js';
import { type Finding, findingOf } from '../../model/finding.js';
import type { Row } from '../../model/problem.js';
import { PLANNED_OFFLINE } from '../asks.js';
import { quoted } from './quoted.js';

const of =
  (level: Finding['level']) =>
  (about: SourceLocation | string, ...row: Row): Finding =>
    findingOf(level)(typeof about === 'string' ? about : placed(about), ...row);
const [note, warning, error] = [of('note'), of('warning'), of('error')];

/** Names in a finding before the rest is counted. */
const NAMED = 5;
const firstOf = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.map(quoted).join(', ')
    : `${names.slice(0, NAMED).map(quoted).join(', ')} and ${names.length - NAMED} more`;

/** @param more follows where an index was asked */
const againOnce = (why: string, more = ''): string =>
  why === PLANNED_OFFLINE
    ? 'Plan again without --offline where the index can be reached.'
    : `Plan again once the index answers${more}.`;

const errors = catalogue(error, {
  lineFault: (text: string, why: string) => [
    'LIST_LINE',
    `${quoted(text)} is no requirement: ${why}`,
    'Correct the line, and commit it.',
  ],
  listTooLong: (most: number) => [
    'LIST_TOO_LONG',
    `the list has more than ${most} requirements; this line and those behind it are left out`,
    'Split the list, and give each part an import of its own.',
  ],
  listAbsent: (path: string) => [
    'LIST_LINE',
    `it names the list ${quoted(path)}, which the commit does not have`,
    'Correct the path, which is relative to the file of the line, and commit it.',
  ],
  bindepLine: (text: string) => [
    'BINDEP_LINE',
    `${quoted(text)} is no line that bindep reads; the other lines count`,
    'Write `package [platform:dpkg compile]`, and commit it.',
  ],
  noPackage: (name: string, platform: string) => [
    'BINDEP_PACKAGE',
    `${quoted(name)} is no name of a Debian package, and the file names it for ${platform}; it is left out`,
    'Correct the name, or add a selector such as [platform:rpm], and commit it.',
  ],
  pinTwice: (places: readonly SourceLocation[], versions: readonly string[], targets: readonly string[]) => [
    'LIST_PIN_TWICE',
    `it is pinned to ${versions.join(' and ')} for ${targets.join(', ')} (${places.map(placed).join(', ')}); none of them is built for the list`,
    'Remove one of the lines, or give both a marker, and commit it.',
  ],
});

const warnings = catalogue(warning, {
  bindepAbsent: () => [
    'BINDEP_ABSENT',
    'the branch has no such file, so bases get no packages for it',
    'Commit the file to the branch, or correct the key "bindep".',
  ],
  branchUnlisted: (key: string) => [
    'BRANCH_UNLISTED',
    'the repository has this branch, and neither rows nor ignore names it',
    `Add a row for it to \`${key}.rows\`, or a reason to \`${key}.ignore\`.`,
  ],
  knownPasses: (targets: readonly string[], key: string) => [
    'KNOWN_PASSES',
    `\`${key}.known\` lists it, and it was built for ${targets.join(', ')}`,
    'Remove the entry, or name under `on` the platforms where it still fails.',
  ],
  yanked: (reason: string) => [
    'PIN_YANKED',
    `the pinned version was yanked${reason === '' ? '' : `: ${quoted(reason)}`}; installers take it because it is pinned exactly`,
    'Pin another version in the list.',
  ],
  answerLate: (why: string, oldest: string) => [
    'INDEX_LATE',
    `the index was not asked again (${why}); remembered answers are used, the oldest of ${oldest}`,
    againOnce(why),
  ],
  unanswered: (projects: readonly string[], why: string) => [
    'INDEX_UNANSWERED',
    `the index has not answered about ${firstOf(projects)} (${why}), so none of their wheels is built`,
    againOnce(why, '; `pip config list` shows which one is asked'),
  ],
});

const notes = catalogue(note, {
  lineLeftOut: (text: string, because: string) => [
    'LIST_LINE_LEFT_OUT',
    `${quoted(text)} is left out: ${because}`,
    'Write name==version in its place if a wheel is wanted.',
  ],
  requiresPython: (text: string) => [
    'REQUIRES_PYTHON_INVALID',
    `its Requires-Python ${quoted(text)} is no specifier of versions, and installers ignore it`,
    'Nothing is to be done here; report it to the project.',
  ],
  foreign: (files: readonly string[]) => [
    'INDEX_FOREIGN_FILES',
    `its page lists files of other projects: ${files.map(quoted).join(', ')}; they are left out`,
    'Nothing is to be done here; report it to the index.',
  ],
  more: () => ['MORE_FINDINGS', 'the plan holds no more', 'Fix the ones above, and plan again.'],
});

/** Findings about lists and rows. The wheels of other lines are built all the same. */
export const findings = { ...errors, ...warnings, ...notes };
