import type { SourceLocation } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import { counted } from '../../model/counted.js';
import { didYouMean } from '../../model/suggest.js';
import { PLANNED_OFFLINE } from '../asks.js';
import { placed } from '../file-problem.js';
import { quoted } from './quoted.js';

const of =
  (level: Finding['level']) =>
  (code: string, subject: string, why: string, next: string): Finding => ({ level, code, subject, why, next });
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

/** Findings about lists and rows. The wheels of other lines are built all the same. */
export const findings = {
  lineFault: (place: SourceLocation, text: string, why: string): Finding =>
    error('LIST_LINE', placed(place), `${quoted(text)} is no requirement: ${why}`, 'Correct the line, and commit it.'),
  lineLeftOut: (place: SourceLocation, text: string, because: string): Finding =>
    note(
      'LIST_LINE_LEFT_OUT',
      placed(place),
      `${quoted(text)} is left out: ${because}`,
      'Write name==version in its place if a wheel is wanted.',
    ),
  listTooLong: (place: SourceLocation, most: number): Finding =>
    error(
      'LIST_TOO_LONG',
      placed(place),
      `the list has more than ${most} requirements; this line and those behind it are left out`,
      'Split the list, and give each part an import of its own.',
    ),
  listAbsent: (place: SourceLocation, path: string): Finding =>
    error(
      'LIST_LINE',
      placed(place),
      `it names the list ${quoted(path)}, which the commit does not have`,
      'Correct the path, which is relative to the file of the line, and commit it.',
    ),
  bindepAbsent: (place: SourceLocation): Finding =>
    warning(
      'BINDEP_ABSENT',
      placed(place),
      'the branch has no such file, so bases get no packages for it',
      'Commit the file to the branch, or correct the key "bindep".',
    ),
  bindepLine: (place: SourceLocation, text: string): Finding =>
    error(
      'BINDEP_LINE',
      placed(place),
      `${quoted(text)} is no line that bindep reads; the other lines count`,
      'Write `package [platform:dpkg compile]`, and commit it.',
    ),
  noPackage: (place: SourceLocation, name: string, platform: string): Finding =>
    error(
      'BINDEP_PACKAGE',
      placed(place),
      `${quoted(name)} is no name of a Debian package, and the file names it for ${platform}; it is left out`,
      'Correct the name, or add a selector such as [platform:rpm], and commit it.',
    ),
  pinTwice: (
    name: string,
    places: readonly SourceLocation[],
    versions: readonly string[],
    targets: readonly string[],
  ): Finding =>
    error(
      'LIST_PIN_TWICE',
      name,
      `it is pinned to ${versions.join(' and ')} for ${targets.join(', ')} (${places.map(placed).join(', ')}); none of them is built for the list`,
      'Remove one of the lines, or give both a marker, and commit it.',
    ),
  branchUnlisted: (branch: string, key: string): Finding =>
    warning(
      'BRANCH_UNLISTED',
      branch,
      'the repository has this branch, and neither rows nor ignore names it',
      `Add a row for it to \`${key}.rows\`, or a reason to \`${key}.ignore\`.`,
    ),
  knownExpired: (wheel: string, until: string, key: string): Finding =>
    warning(
      'KNOWN_EXPIRED',
      wheel,
      `\`${key}.known\` lists it until ${until}, which is over`,
      'Raise `until` with a new reason, or remove the entry.',
    ),
  failedBefore: (wheel: string, targets: readonly string[], failure: string, logs: string, key: string): Finding =>
    warning(
      'FAILED_BEFORE',
      wheel,
      `${failure} (${targets.join(', ')})`,
      `Read \`${logs}\`. Correct its recipe under \`${key}.with\`, or put it on \`${key}.known\`. \`retryFailed: 0s\` tries it again.`,
    ),
  knownPasses: (wheel: string, targets: readonly string[], key: string): Finding =>
    warning(
      'KNOWN_PASSES',
      wheel,
      `\`${key}.known\` lists it, and it was built for ${targets.join(', ')}`,
      'Remove the entry, or name under `on` the platforms where it still fails.',
    ),
  nameUnlisted: (name: string, path: string, known: readonly string[]): Finding =>
    warning(
      'NAME_UNLISTED',
      name,
      `\`${path}\` names it, and no list wants it${didYouMean(name, known)}`,
      'Correct the name, or remove it.',
    ),
  requiresPython: (wheel: string, text: string): Finding =>
    note(
      'REQUIRES_PYTHON_INVALID',
      wheel,
      `its Requires-Python ${quoted(text)} is no specifier of versions, and installers ignore it`,
      'Nothing is to be done here; report it to the project.',
    ),
  yanked: (wheel: string, reason: string): Finding =>
    warning(
      'PIN_YANKED',
      wheel,
      `the pinned version was yanked${reason === '' ? '' : `: ${quoted(reason)}`}; installers take it because it is pinned exactly`,
      'Pin another version in the list.',
    ),
  answerLate: (count: number, why: string, oldest: string): Finding =>
    warning(
      'INDEX_LATE',
      counted(count, 'project'),
      `the index was not asked again (${why}); remembered answers are used, the oldest of ${oldest}`,
      againOnce(why),
    ),
  unanswered: (projects: readonly string[], why: string): Finding =>
    warning(
      'INDEX_UNANSWERED',
      counted(projects.length, 'project'),
      `the index has not answered about ${firstOf(projects)} (${why}), so none of their wheels is built`,
      againOnce(why, '; `pip config list` shows which one is asked'),
    ),
  foreign: (project: string, files: readonly string[]): Finding =>
    note(
      'INDEX_FOREIGN_FILES',
      project,
      `its page lists files of other projects: ${files.map(quoted).join(', ')}; they are left out`,
      'Nothing is to be done here; report it to the index.',
    ),
  more: (count: number): Finding =>
    note('MORE_FINDINGS', counted(count, 'finding'), 'the plan holds no more', 'Fix the ones above, and plan again.'),
} as const;
