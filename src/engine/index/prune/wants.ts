import { grouped } from '../../../model/grouped.js';
import type { IndexRefresh } from '../../../model/index-refresh.js';
import { LEFT_OUT, type Rows } from '../../../model/rows.js';
import { normalName, parseWheelName, type WheelName } from '../../../model/python/file-name.js';
import { sameVersion } from '../../../model/python/version.js';
import { wheelFits } from '../../../model/python/wheel-tags.js';
import { isOneVersion, readWheelSubject, type WheelSubject } from '../../../model/python/wheel-subject.js';

/** A wanted version on one target, with the verdict of the plan. */
export interface WantedWheel extends WheelSubject {
  readonly verdict: string;
  /** The file that the verdict names: a wheel of upstream. */
  readonly reason: string;
}

/** A platform of the release file. */
export interface PrunePlatform {
  readonly arch: string;
  /** Null: it has another C library. */
  readonly glibc: string | null;
  /** Last day. Null: none. */
  readonly until: string | null;
}

/** Returns all wanted versions of a plan's rows. Rows that are left out want nothing. */
export function wantedWheels(rows: Rows | null): readonly WantedWheel[] {
  return Object.entries(rows?.rows ?? {})
    .filter(([id]) => id.startsWith('wheels/'))
    .flatMap(([, all]) => all)
    .filter(({ verdict }) => verdict !== LEFT_OUT)
    .flatMap(({ subject, verdict, reason }) => {
      const read = readWheelSubject(subject);
      return read === null ? [] : [{ ...read, verdict, reason }];
    });
}

/** Groups wants by platform and project. */
export function openWants(
  wants: readonly WantedWheel[],
  platforms: Readonly<Record<string, PrunePlatform>>,
): (platform: string, file: string) => readonly WantedWheel[] {
  const groups = grouped(wants, ({ platform, project }) => `${platform} ${project}`);
  return (platform, file) => {
    const wheel = parseWheelName(file)!;
    const all = groups.get(`${platform} ${normalName(wheel.project)}`) ?? [];
    return all.filter((want) => serves(wheel, want, platforms[platform]!));
  };
}

/** Returns another pipeline that wanted a wheel in its last run. Null without one. A wheel that upstream has is not wanted. */
export function askerOf(
  refreshes: readonly IndexRefresh[],
  pipeline: string,
  file: string,
  platform: PrunePlatform,
): string | null {
  const wheel = parseWheelName(file)!;
  const project = normalName(wheel.project);
  const wants = ({ wheels }: IndexRefresh): boolean =>
    wheels.some(
      (one) =>
        one.project === project &&
        !['upstream', LEFT_OUT].includes(one.state) &&
        serves(wheel, { ...one, platform: '', verdict: one.state, reason: '' }, platform),
    );
  return refreshes.find((one) => one.pipeline !== pipeline && wants(one))?.pipeline ?? null;
}

/** Whether a wheel may serve a want. A range, and a platform without a known C library, count as served. */
function serves(wheel: WheelName, want: WantedWheel, { arch, glibc }: PrunePlatform): boolean {
  if (isOneVersion(want.version) && !sameVersion(wheel.version, want.version)) return false;
  return glibc === null || wheelFits(wheel, { python: want.python, arch, glibc });
}
