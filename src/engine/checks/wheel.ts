import type { Finding } from '../../model/finding.js';
import type { PlatformFacts } from '../../model/platform.js';
import { normalName, parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { judgePaths, type PathHit } from './builder-paths.js';
import { judgeMacosTags, judgeNative, type NativeFacts } from './native.js';
import { error } from './finding.js';
import { judgeExtensionNames } from './extension-names.js';
import { judgeReach } from './reach.js';
import { type MemberHash, recordFaults } from './record.js';
import { platformFits, pythonFits, tagsOf } from '../../model/python/wheel-tags.js';

export interface NativeMember {
  readonly member: string;
  readonly facts: NativeFacts;
}

/** Facts of a built wheel, measured by an activity. */
export interface WheelFacts {
  readonly file: string;
  readonly wanted: {
    readonly project: string;
    /** Null: any version. */
    readonly version: string | null;
    readonly python: string | null;
    readonly platform: PlatformFacts;
    readonly everywhere: boolean;
  };
  readonly metadata: { readonly name: string; readonly version: string } | null;
  /** `Tag:` lines of WHEEL. */
  readonly tags: readonly string[];
  readonly record: string | null;
  readonly members: readonly MemberHash[];
  readonly natives: readonly NativeMember[];
  readonly runPaths: readonly { readonly member: string; readonly value: string }[];
  readonly paths: readonly PathHit[];
  /** `found` is null if nothing in the file matches. `present` is false if the wheel lacks the file. */
  readonly commit: {
    readonly file: string;
    readonly present: boolean;
    readonly found: string | null;
    readonly wanted: string;
  } | null;
}

export function judgeWheel(facts: WheelFacts): readonly Finding[] {
  const name = parseWheelName(facts.file);
  if (name === null)
    return [error('WHEEL_NAME_INVALID', facts.file, 'is no name of a wheel', 'Let the build backend name its wheel.')];
  return [
    ...judgeMetadata(facts, name),
    ...judgeTags(facts, name),
    ...judgeRecord(facts),
    ...judgeNatives(facts, name),
    ...judgeRunPaths(facts),
    ...judgePaths(facts.paths),
    ...judgeCommit(facts),
  ];
}

function judgeMetadata({ file, metadata, wanted, tags }: WheelFacts, name: WheelName): readonly Finding[] {
  if (metadata === null)
    return [error('METADATA_ABSENT', file, 'holds no METADATA', 'No installer takes it: see the build backend.')];
  const found = [...judgeNames({ file, metadata, tags }, name)];
  if (normalName(metadata.name) !== normalName(wanted.project)) {
    found.push(
      error(
        'PROJECT_DIFFERS',
        file,
        `holds the project ${metadata.name}, the release file says ${wanted.project}`,
        `Write \`project: ${metadata.name}\` under the wheel, or correct the source.`,
      ),
    );
  }
  if (wanted.version !== null && !sameVersion(metadata.version, wanted.version)) {
    found.push(
      error(
        'VERSION_DIFFERS',
        file,
        `is version ${metadata.version}, and ${wanted.version} is wanted`,
        'Correct `release.version`, or `version` of its entry in `sources`; or let the source carry that version.',
      ),
    );
  }
  return found;
}

/** Compares a wheel's metadata, which people read, with its name, which installers believe. */
export function judgeNames(
  {
    file,
    metadata,
    tags,
  }: Pick<WheelFacts, 'file' | 'tags'> & { readonly metadata: NonNullable<WheelFacts['metadata']> },
  name: WheelName,
): readonly Finding[] {
  const found: Finding[] = [];
  const differs = (what: string, inName: string, inside: string): void => {
    const why = `its name says ${what} ${inName}, its metadata ${inside}`;
    found.push({
      level: 'warning',
      code: 'NAME_DIFFERS',
      subject: file,
      why,
      next: 'Installers believe the name, people the metadata: let the build backend name the file.',
    });
  };
  if (normalName(name.project) !== normalName(metadata.name)) differs('project', name.project, metadata.name);
  if (!sameVersion(name.version, metadata.version)) differs('version', name.version, metadata.version);
  if (tags.length > 0 && tags.join() !== tagsOf(name).join()) differs('tags', tagsOf(name).join(' '), tags.join(' '));
  return found;
}

function judgeTags({ file, wanted }: WheelFacts, name: WheelName): readonly Finding[] {
  const refused = name.platforms.filter((tag) => !platformFits(tag, wanted.platform));
  const found: Finding[] = [];
  if (refused.length > 0) {
    const why = `its platform tag ${refused.join('.')} is not one that an index takes for ${wanted.platform.name}`;
    found.push(
      error(
        'PLATFORM_TAG_REFUSED',
        file,
        why,
        'Let it be repaired (`repair: {}` gives a manylinux tag), or correct `platforms`.',
      ),
    );
  }
  if (wanted.python !== null && !pythonFits(name, wanted.python)) {
    const why = `is for ${name.pythons.join('.')}, the step builds for ${wanted.python}`;
    found.push(error('PYTHON_TAG_DIFFERS', file, why, 'Build with the Python of the step: `python` on PATH is it.'));
  }
  found.push(...judgeReach(file, wanted, name));
  return found;
}

function judgeRecord({ file, record, members }: WheelFacts): readonly Finding[] {
  const faults = recordFaults(record, members);
  if (faults.length === 0) return [];
  const why = `its RECORD is wrong: ${faults.slice(0, 5).join('; ')}${faults.length > 5 ? `; ${faults.length - 5} more` : ''}`;
  return [
    error(
      'RECORD_WRONG',
      file,
      why,
      'Whatever changed the wheel after it was built must rewrite RECORD (`wheel unpack`, `wheel pack`).',
    ),
  ];
}

function judgeNatives({ file, natives, wanted }: WheelFacts, name: WheelName): readonly Finding[] {
  const tags = judgeMacosTags(file, name.platforms);
  if (natives.length === 0) return tags;
  if (name.platforms.includes('any')) return [anyWithNatives(file, natives)];
  return [
    ...tags,
    ...natives.flatMap(({ member, facts }) => judgeNative(member, facts, wanted.platform, name.platforms)),
    ...judgeExtensionNames(
      natives.map(({ member }) => member),
      name,
      wanted.platform,
    ),
  ];
}

const anyWithNatives = (file: string, natives: readonly NativeMember[]): Finding => ({
  level: 'warning',
  code: 'NATIVE_IN_ANY',
  subject: file,
  why: `says that it fits every platform, and holds machine code: ${natives
    .map(({ member }) => member)
    .slice(0, 3)
    .join(', ')}`,
  next: 'Let the build backend give it a platform tag, unless it holds code for each platform on purpose.',
});

function judgeRunPaths({ runPaths }: WheelFacts): readonly Finding[] {
  return runPaths.map(({ member, value }) =>
    error(
      'RUNPATH',
      member,
      `looks for libraries in ${value} first; on a user's machine this folder is absent or somebody else's`,
      'Link without it (`env: { LDSHARED: gcc -shared }` for setuptools, `-Wl,-rpath,$ORIGIN/…` for what lies in the wheel).',
    ),
  );
}

function judgeCommit({ commit }: WheelFacts): readonly Finding[] {
  if (commit === null || commit.found === commit.wanted) return [];
  const { file, present, found, wanted } = commit;
  if (!present)
    return [
      error(
        'COMMIT_FILE_ABSENT',
        file,
        `is not in the wheel; it should say ${wanted}`,
        'Let the build write it, or correct `commit.file`.',
      ),
    ];
  if (found === null)
    return [
      error(
        'COMMIT_ABSENT',
        file,
        `says nothing that matches; it should say ${wanted}`,
        'Correct `commit.match`, or let the build write the commit.',
      ),
    ];
  return [
    error(
      'COMMIT_DIFFERS',
      file,
      `says ${found}, and the source is ${wanted}`,
      'The wheel was made from something else: build it from the source tree that the step gives.',
    ),
  ];
}

/** Turns accepted findings into notes with the release file's reason. */
export function acceptFindings(
  findings: readonly Finding[],
  accept: Readonly<Record<string, string>>,
): readonly Finding[] {
  return findings.map((finding) => {
    const reason = accept[finding.code];
    return reason === undefined ? finding : { ...finding, level: 'note', why: `${finding.why} Accepted: ${reason}` };
  });
}
