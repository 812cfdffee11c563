import { catalogue } from '../../../model/catalogue.js';
import { counted } from '../../../model/counted.js';
import { findingOf } from '../../../model/finding.js';

const warnings = catalogue(findingOf('warning'), {
  keyUnknown: () => [
    'ENVIRONMENT_KEY_UNKNOWN',
    'neither Spack 1.2 nor Slipway knows this key',
    'Correct the key, or take it away.',
  ],
  noRules: () => [
    'ENVIRONMENT_NO_RULES',
    'it has neither "ci" nor "gitlab-ci", so jobs have no tags, and each has the first of `runners`',
    'Write rules for jobs into spack.yaml, or `on` in place of `runners`.',
  ],
  rootsNotCompared: (why: string) => [
    'ENVIRONMENT_NOT_COMPARED',
    `nothing compares its specs with the lock: ${why}`,
    'Concretize the environment after each change of it.',
  ],
  knownPasses: (step: string, key: string) => [
    'KNOWN_PASSES',
    `\`${key}.known\` lists it, and ${step} built it`,
    'Remove the entry.',
  ],
  exportNoMirror: () => [
    'EXPORT_NO_MIRROR',
    'it has no mirror "buildcache-destination": jobs have no place for their binaries, and no job makes an index',
    'Add the mirror to spack.yaml, and commit it.',
  ],
  exportLeftOut: (why: string) => [
    'EXPORT_LEFT_OUT',
    why,
    'Write what the jobs need under `pipeline-gen` of spack.yaml itself.',
  ],
});

const notes = catalogue(findingOf('note'), {
  keyIgnored: (hasJobs: boolean) => [
    'ENVIRONMENT_KEY_IGNORED',
    hasJobs ? 'only bootstrap, tags, variables and images are read' : 'no run reads this key of spack.yaml',
    'docs/environments.md lists the keys that count.',
  ],
  attributeIgnored: (why: string) => [
    'JOB_KEY_IGNORED',
    why,
    'docs/environments.md says what to write into the import in its place: setup, images, timeout, retry.',
  ],
  leftOut: (because: string, specs: number) => [
    'SPECS_LEFT_OUT',
    `${counted(specs, 'spec')} of the lock: ${because}`,
    'Type `slipway why NAME` for one of them.',
  ],
  phaseIdle: () => [
    'PHASE_IDLE',
    'the list has no lock of its own; the lock of the environment has compilers as specs, and needs none',
    'Take the list out of `bootstrap`.',
  ],
  ruleShadowed: (specs: number) => [
    'MAPPING_SHADOWED',
    `it fits ${counted(specs, 'spec')} with tags of a rule that is tried before it`,
    'Of `mappings` the first entry from the top counts, of a `submapping` the first one from the bottom.',
  ],
  asText: (names: readonly string[], next: string) => [
    'VARIABLE_AS_TEXT',
    `${names.join(', ')} has a "$", and Slipway looks nothing up`,
    next,
  ],
});

/** Findings about environments and the pipelines that are made of them. */
export const findings = { ...warnings, ...notes };
