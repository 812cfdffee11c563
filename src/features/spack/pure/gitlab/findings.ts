import { placed } from '../../../../model/failure.js';
import type { Finding } from '../../../../model/finding.js';
import type { Environment } from '../environment.js';
import type { Rules } from '../rules.js';
import { variablesAsText } from '../variables-as-text.js';
import { indexOf } from './pipeline.js';

/** Keys that change a pipeline of Spack, and not this one. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  cdash: 'jobs have no variables of CDash, and no group in their names',
};

/** Findings about what a pipeline lacks, and about texts that Slipway leaves to GitLab.
 * @param file path of spack.yaml */
export const exportFindings = (file: string, environment: Environment, rules: Rules): readonly Finding[] => [
  ...(indexOf(environment).mirror === null ? [noMirror(file)] : []),
  ...environment.ignored.flatMap((key) =>
    Object.hasOwn(LEFT_OUT, key) ? [leftOut(`${file}: ${key}`, LEFT_OUT[key]!)] : [],
  ),
  ...rules.dynamic.map((place) => leftOut(placed(place), 'no server is asked for attributes of jobs')),
  ...variablesAsText(
    rules,
    'GitLab looks it up when the job runs. Write the value itself, if each pipeline is to have the same.',
  ),
];

const noMirror = (file: string): Finding => ({
  ...({ level: 'warning', code: 'EXPORT_NO_MIRROR', subject: file } as const),
  why: 'it has no mirror "buildcache-destination": jobs have no place for their binaries, and no job makes an index',
  next: 'Add the mirror to spack.yaml, and commit it.',
});

const leftOut = (subject: string, why: string): Finding => ({
  ...({ level: 'warning', code: 'EXPORT_LEFT_OUT', subject, why } as const),
  next: 'Write what the jobs need under `pipeline-gen` of spack.yaml itself.',
});
