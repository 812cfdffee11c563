import { counted } from '../../model/counted.js';
import { grouped } from '../../model/grouped.js';
import type { Finding } from '../../model/finding.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import { didYouMean } from '../../model/suggest.js';
import { failureText, findings as tried, logCommand } from '../tried.js';
import { bindepFindings } from './bindep.js';
import { projectIn } from './entries.js';
import { stepOf } from './entry-name.js';
import { placed } from '../../model/failure.js';
import { findings } from './findings.js';
import type { Catalogue } from './read.js';
import type { WheelRow } from './rows.js';
import { isListed, isMeant } from './tried.js';
import type { Page } from './verdict.js';
import type { Twice } from './wanted.js';

export interface Judged {
  readonly rows: readonly WheelRow[];
  readonly twice: readonly Twice[];
  readonly pages: (project: string) => Page;
}

/** Findings about lists, the entry and the index. Each is reported once. @param key place of the entry: `wheels.constraints` */
export function noticesOf(kept: Catalogue, entry: WheelList, key: string, judged: Judged): readonly Finding[] {
  const all = [
    ...kept.lists.flatMap((list) => list.findings),
    ...bindepFindings(kept.packages, entry.bindep ?? ''),
    ...kept.unlisted.map((branch) => findings.branchUnlisted(branch, key)),
    ...twiceOf(judged.twice),
    ...expiredOf(kept, entry, key, judged.rows),
    ...passing(entry, key, judged.rows),
    ...failing(key, judged.rows),
    ...unlistedNames(entry, key, judged.rows),
    ...fileFindings(judged),
    ...unanswered(judged),
    ...indexFindings(kept),
    ...Object.values(kept.ours).flatMap((targets) => Object.values(targets).flatMap((one) => one.findings)),
  ];
  return firstOf([...new Map(all.map((one) => [`${one.code} ${one.subject} ${one.why}`, one])).values()]);
}

/** Findings that a plan holds. */
const MOST_FINDINGS = 100;
const LEVELS: readonly Finding['level'][] = ['error', 'warning', 'note'];

/** Errors first. More than a plan holds are counted. */
function firstOf(all: readonly Finding[]): readonly Finding[] {
  const sorted = LEVELS.flatMap((level) => all.filter((one) => one.level === level));
  const more = sorted.length - MOST_FINDINGS;
  return more <= 0 ? sorted : [...sorted.slice(0, MOST_FINDINGS), findings.more(counted(more, 'finding'))];
}

/** One finding for a project and its versions, with all targets. */
function twiceOf(all: readonly Twice[]): readonly Finding[] {
  const groups = grouped(all, ({ wanted }) => wanted.places.map(placed).join(' '));
  return [...groups.values()].map((group) => {
    const { project, places, pins } = group[0].wanted;
    return findings.pinTwice(
      project,
      places,
      pins.map(({ text }) => text),
      group.map(({ target }) => `${target.platform} ${target.python}`),
    );
  });
}

const expiredOf = (
  { today }: Catalogue,
  { known }: WheelList,
  key: string,
  rows: readonly WheelRow[],
): readonly Finding[] =>
  known
    .filter(
      ({ wheel, until }) => until < today && rows.some(({ project, version }) => isMeant(wheel, project, version)),
    )
    .map(({ wheel, until }) => tried.knownExpired(wheel, until, key));

/** Keys of `known` whose wheels were built. */
const passing = ({ known }: WheelList, key: string, rows: readonly WheelRow[]): readonly Finding[] =>
  known.flatMap((one) => {
    const built = rows.filter(
      ({ verdict, project, version, target }) => verdict === 'here' && isListed(one, project, version, target.platform),
    );
    const targets = built.map(({ target: { platform, python } }) => `${platform} ${python}`);
    return targets.length === 0 ? [] : [findings.knownPasses(one.wheel, [...new Set(targets)], key)];
  });

/** One finding for each failure of a version, with all targets. */
function failing(key: string, rows: readonly WheelRow[]): readonly Finding[] {
  const failed = rows.flatMap((row) => (row.failed === undefined ? [] : [{ ...row, failed: row.failed }]));
  const groups = grouped(failed, (row) => `${row.project}==${row.version} ${row.failed.code} ${row.failed.message}`);
  return [...groups.values()].map((group) => {
    const [first] = group;
    const targets = group.map(({ target: { platform, python } }) => `${platform} ${python}`);
    const log = logCommand(stepOf(first), first.failed);
    const told = `${failureText(first.failed)} (${targets.join(', ')})`;
    const mend = `Correct its recipe under \`${key}.with\``;
    return tried.failedBefore(`${first.project}==${first.version}`, told, log, mend, key);
  });
}

/** Keys that name projects which no list wants. */
function unlistedNames(entry: WheelList, key: string, rows: readonly WheelRow[]): readonly Finding[] {
  const known = new Set(rows.map(({ project }) => project));
  const named: readonly (readonly [string, string])[] = [
    ...(entry.only ?? []).map((name) => ['only', name] as const),
    ...Object.keys(entry.with).map((name) => ['with', name] as const),
    ...entry.known.map(({ wheel }) => ['known', wheel] as const),
  ];
  return named
    .filter(([, name]) => !known.has(projectIn(name)))
    .map(([path, name]) => tried.nameUnlisted(name, `${key}.${path}`, `no list wants it${didYouMean(name, known)}`));
}

/** Findings about the files of pinned versions. */
function fileFindings({ rows, pages }: Judged): readonly Finding[] {
  return rows.flatMap(({ project, version, verdict, file }) => {
    const page = pages(project);
    if (page.state !== 'files' || verdict === 'left out') return [];
    const mine = page.files.filter((one) => one.version === version);
    const invalid = mine.find(({ hasInvalidRequires }) => hasInvalidRequires);
    const yanked = mine.find((one) => one.file === file)?.yanked ?? null;
    return [
      ...(invalid ? [findings.requiresPython(`${project}==${version}`, invalid.requiresPython!)] : []),
      ...(yanked === null ? [] : [findings.yanked(`${project}==${version}`, yanked)]),
    ];
  });
}

/** One finding for all projects that wait for an answer. */
function unanswered({ rows, pages }: Judged): readonly Finding[] {
  const waiting = rows.filter(({ verdict }) => verdict === 'unanswered').map(({ project }) => project);
  const [first, ...more] = new Set(waiting);
  const page = first === undefined ? null : pages(first);
  return page?.state === 'unanswered'
    ? [findings.unanswered(counted(more.length + 1, 'project'), [first!, ...more], page.why)]
    : [];
}

function indexFindings({ index }: Catalogue): readonly Finding[] {
  const late = Object.values(index).flatMap((one) =>
    one.state !== 'unanswered' && one.late !== null ? [{ ...one, late: one.late }] : [],
  );
  const oldest = late.map(({ askedAt }) => askedAt).sort()[0];
  return [
    ...(oldest === undefined ? [] : [findings.answerLate(counted(late.length, 'project'), late[0]!.late, oldest)]),
    ...Object.entries(index).flatMap(([project, one]) =>
      one.state === 'files' && one.foreign.length > 0 ? [findings.foreign(project, one.foreign)] : [],
    ),
  ];
}
