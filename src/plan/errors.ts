import { catalogue } from '../model/catalogue.js';
import type { SourceLocation, Problem } from '../model/failure.js';
import type { Ability } from '../model/worker.js';
import type { Given } from '../model/plan.js';
import { withChosen } from '../model/only.js';
import { didYouMean } from '../model/suggest.js';

/** Keys of a release file from the root to the value: `['wheels', 'skiff', 'platforms', 0]`. */
export type Path = readonly (string | number)[];

/** Location of a problem in a file. Every problem of this room has one. */
export interface Spot {
  readonly place?: SourceLocation;
  readonly path?: string;
}

/** A problem of class `config` at a spot. */
export const config = (spot: Spot, code: string, message: string, next: string): Problem => ({
  code,
  class: 'config',
  message,
  next,
  ...(spot.place && { place: spot.place }),
  ...(spot.path && { path: spot.path }),
});

/** A value as the author typed it, shortened. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

export const REFERENCE = 'Read docs/reference/release-file.md, or type `slipway schema` for a schema that editors use.';

const WHAT_IS_NEEDED: Readonly<Record<Ability, string>> = {
  host: 'commands on the host',
  container: 'containers',
  emulated: 'emulation of another machine',
  cross: 'compilers for another machine',
  sandbox: 'programs in a sandbox',
};

/** Problems of release files and profiles. Those of options of a command have no spot: `{}`. */
export const problems = catalogue(config, {
  tooBig: (bytes: number) => [
    'RELEASE_FILE_TOO_BIG',
    `the file has ${bytes} bytes; at most 262144 are read`,
    'Name a release file: it has a few pages.',
  ],
  binary: (why: string) => [
    'RELEASE_FILE_BINARY',
    `the file is not text: ${why}`,
    'Name a release file: it is YAML in UTF-8.',
  ],
  tooDeep: () => [
    'RELEASE_FILE_TOO_DEEP',
    'brackets or indents are nested more than 40 deep',
    'Remove levels: no section of a release file needs more than 8.',
  ],
  yaml: (why: string) => [
    'YAML_INVALID',
    `not YAML: ${why}`,
    'Correct the line. Indent with spaces, and quote texts that contain ":" or "{".',
  ],
  aliasBomb: () => [
    'YAML_ALIASES',
    'aliases (*name) multiply the file beyond 100 copies',
    'Write the repeated part once, or use `matrix:`.',
  ],
  notAMap: (section: string, what: string) => [
    'RELEASE_FILE_EMPTY',
    `expected sections such as "${section}:", found ${what}`,
    `Begin with "slipway: 1". ${REFERENCE}`,
  ],
  unknownKey: (key: string, known: Iterable<string>) => [
    'UNKNOWN_KEY',
    `unknown key${didYouMean(key, known) || ` ${shown(key)}`}`,
    REFERENCE,
  ],
  wrongValue: (why: string) => ['WRONG_VALUE', why, REFERENCE],
  missingKey: (key: string) => ['MISSING_KEY', `"${key}" is missing`, REFERENCE],
  quoteIt: (typed: string, what: string) => ['QUOTE_IT', `${typed} is ${what} in YAML; quote it`, `Write '${typed}'.`],
  noUnit: (typed: string) => [
    'QUOTE_IT',
    `${typed} has no unit`,
    `A duration is a number and a unit: ${typed}s, 5m, 2h.`,
  ],
  notATag: (typed: string) => [
    'QUOTE_IT',
    `${typed} is a number in YAML, which reads 3.10 as 3.1`,
    `A Python is written as its tag: ${/^3\.\d+$/.test(typed) ? `cp${typed.replace('.', '')}` : 'cp312'}.`,
  ],
  needsThat: (why: string, next: string) => ['WRONG_VALUE', why, next],
  cutoffUnknown: (cutoff: string) => [
    'CUTOFF_UNKNOWN',
    `pip-tools cannot apply the cut-off ${cutoff}: pip needs upload times that most indexes do not serve`,
    'Write `tool: uv`, or remove `cutoff` to lock the newest versions.',
  ],
  optionOwned: (option: string, key: string | null) => [
    'LOCK_OPTION_OWNED',
    `${option} is not allowed: Slipway sets it, so that a lock depends on the release file alone`,
    key === null ? `Take ${option} away.` : `Take ${option} away, and write the key "${key}" in its place.`,
  ],
  optionOutside: (option: string, value: string) => [
    'LOCK_OPTION_OUTSIDE',
    `${option} ${shown(value)} reads outside the source: another machine has other files there`,
    'Commit the file, and name it by its path from the top of the source.',
  ],
  importedTwice: (section: string, name: string) => [
    'IMPORT_NAME_TAKEN',
    `the imported entry ${shown(name)} has the name of another entry of ${section}`,
    {
      tests: 'Rename the entry of the release file, or give the import a `prefix:`.',
      wheels: 'Give both imports the same recipe and `cutoff`, or import fewer with the key "only".',
    }[section] ?? 'Rename the entry of the release file, or import fewer with the key "only".',
  ],
  notImported: () => [
    'IMPORT_NEEDS_GIT',
    'an import reads files of a commit, and this source has none',
    'Write `source: { git: … }`, or write the entries out.',
  ],
  twoWriters: (path: string, ids: readonly string[]) => [
    'LOCK_TWO_WRITERS',
    `${ids.join(' and ')} write the same file, ${shown(path)}`,
    'Give each its own `lock:`, or leave one of them out.',
  ],
  unknownCluster: (name: string, known: Iterable<string>) => [
    'UNKNOWN_CLUSTER',
    `${shown(name)} names no cluster of this file${didYouMean(name, known)}`,
    'Write an entry of `clusters:`, or the name of one.',
  ],
  unknownNeed: (need: string, known: Iterable<string>, id = need) => [
    'UNKNOWN_NEED',
    `${shown(need)} names nothing in this file${didYouMean(id, known)}`,
    'A need is section/name of an entry of this file.',
  ],
  assumedKeeps: (entry: string, left: string, because: string, given: Given = {}) => [
    'ASSUMED_KEEPS_FILES',
    `${entry} needs the files of ${left}, which is left out: ${because}`,
    `${withChosen(left, because, given)}, or take it out of the needs of ${entry}.`,
  ],
  unknownEntry: (option: string, id: string, known: Iterable<string>) => [
    'UNKNOWN_ENTRY',
    `${option} names ${shown(id)}, and no entry has that id${didYouMean(id, known)}`,
    'Write section/NAME; `slipway plan` lists the ids, without what behind the name tells variants apart.',
  ],
  notLeftOut: (option: string, id: string, sections: readonly string[]) => [
    'ENTRY_NOT_LEFT_OUT',
    `${option} names ${id}, and nothing of this section counts as done without having run`,
    `Take it out of ${option}; it takes entries of ${sections.join(', ')}.`,
  ],
  withoutSettings: (text: string) => [
    'WITHOUT_SETTINGS',
    `${text} reads settings, and the file has none`,
    'Add `config: { file: config.yaml }` to the release file, and commit config.yaml beside it. Braces that are text are doubled: {{config.name}}.',
  ],
  whenNotBoolean: (word: string, value: unknown, place: string) => [
    'WHEN_NOT_BOOLEAN',
    `\`when\` reads ${word}, which is ${shown(value)} (${place}): no boolean`,
    'Name a value that is true, false or null.',
  ],
  noImageTarget: (target: string, known: Iterable<string>) => [
    'UNKNOWN_TARGET',
    `${shown(target)} is no target of this file that holds images${didYouMean(target, known)}`,
    'Name one of `publish:` whose kind is oci.',
  ],
  noMatch: (need: string, why: string) => [
    'NEED_MATCHES_NOTHING',
    `${shown(need)} matches no variant: ${why}`,
    '`slipway plan` lists the variants there are.',
  ],
  cycle: (items: readonly string[]) => [
    'NEEDS_CYCLE',
    `entries need each other: ${items.join(' → ')}`,
    'Take one of these needs away.',
  ],
  zeroVariants: (why: string, pythons: readonly string[]) => [
    'ZERO_VARIANTS',
    `nothing is left to make: ${why}`,
    pythons.length > 0
      ? `Add ${pythons.join(', ')} to \`pythons:\` of the release file, or leave the entry out.`
      : 'Take the entry out, or give it a variant in `include:`.',
  ],
  unknownText: (word: string, known: readonly string[]) => [
    'UNKNOWN_TEXT',
    `{${word}} is no placeholder here${didYouMean(word, known)}`,
    `Write one of ${known.map((name) => `{${name}}`).join(' ')}, or {{${word}}} for the literal text.`,
  ],
  settingNotHere: (word: string) => [
    'SETTING_NOT_HERE',
    `{${word}} may not stand here: who opens a pull request writes the settings`,
    'Write the value itself. Settings stand in `run`, `env` and other texts of what a command does.',
  ],
  settingUnfit: (word: string, makes: string) => [
    'SETTING_UNFIT',
    `{${word}} makes ${makes}`,
    'Change the value: in the file, in a preset, or with --set. A long text belongs into a file of the source.',
  ],
  settingNotText: (word: string, what: string, place: string) => [
    'SETTING_NOT_A_TEXT',
    `{${word}} is ${what} (${place})`,
    'Name a text without NUL, a number or a boolean, or set such a value.',
  ],
  settingWithoutVariable: (word: string, other: string | undefined) => [
    'SETTING_WITHOUT_VARIABLE',
    `{${word}} ${other === undefined ? 'has characters that no variable of a shell has' : `and {${other}} would be one variable of the shell`}`,
    `Write \`env: { NAME: '{${word}}' }\`, and "$NAME" in the line.`,
  ],
  bundleFile: (path: string, known: Iterable<string>, clean: string) => [
    'BUNDLE_FILE_MISSING',
    `${shown(path)} is not beside the release file${didYouMean(clean, known)}`,
    'Add the file. Links and ignored files are no part of the bundle.',
  ],
  unknownPlatform: (name: string, known: Iterable<string>) => [
    'UNKNOWN_PLATFORM',
    `${shown(name)} is not a platform that Slipway knows${didYouMean(name, known)}`,
    'Name a platform of config/platforms.yaml, or define one like it: `platforms: { NAME: { like: … } }`.',
  ],
  noSuchFloor: (floor: string, known: readonly string[]) => [
    'FLOOR_WITHOUT_POLICY',
    `no wheel can promise glibc ${shown(floor)}: auditwheel has no policy for it${didYouMean(floor, known)}`,
    `Write one of ${known.join(', ')}; or \`repair: false\` where the wheels are tagged otherwise.`,
  ],
  unknownQueue: (name: string, known: Iterable<string>) => [
    'UNKNOWN_QUEUE',
    `${shown(name)} is not a queue that Slipway knows${didYouMean(name, known)}`,
    'Name a queue of config/queues.yaml.',
  ],
  onControl: (step: string) => [
    'PROJECT_CODE_ON_CONTROL',
    `${step} runs code of the project, and workers of control hold the credentials of the release`,
    'Take `on: control` away: the step then runs on the machines of its platform.',
  ],
  crossCannot: (cross: string, platform: string) => [
    'CROSS_CANNOT',
    `cross: ${cross} does not build for ${platform}`,
    'zig builds for Linux and macOS, gcc for Linux; exclude that platform, or let an entry of its own build it on a queue of such machines.',
  ],
  queueCannot: (queue: string, step: string, what: Ability) => [
    'QUEUE_CANNOT',
    `${step} needs ${WHAT_IS_NEEDED[what]}, and workers of the queue ${queue} have none`,
    'Exclude that platform, or name another queue by `on:`. config/queues.yaml lists the abilities of each queue.',
  ],
  noTagRules: (file: string) => [
    'TAG_RULES_MISSING',
    `${shown(file)} is neither beside the release file nor in config/tags`,
    'Write config/tags/ray.yaml or config/tags/plain.yaml, or add the file.',
  ],
  noTag: (image: string, why: string) => [
    'NO_TAG',
    `${image} would get no tag: ${why}`,
    'Correct the rows of the tags file, or name a channel.',
  ],
  noTarget: (name: string, kind: string, profile: string) => [
    'TARGET_NOT_IN_PROFILE',
    `profile "${profile}" has no address for "${name}" (kind ${kind})`,
    `Add \`kinds: { ${kind}: { address: … } }\` to profiles/${profile}.yaml beside the release file; a profile of Slipway's is copied there first. Or take another --profile.`,
  ],
  pointTo: (to: string, count: number) => [
    'POINT_NEEDS_ONE',
    `${shown(to)} names ${count} artifacts that this target publishes; a pointer follows exactly one`,
    'Pick one: section/name[axis=value].',
  ],
  nothingToPublish: (targets: readonly string[]) => [
    'NOTHING_TO_PUBLISH',
    `nothing is left to publish: every file of ${targets.join(', ')} is left out on this plan`,
    'Let `files` name artifacts that this plan builds, or remove `publish`.',
  ],
  duplicateName: (target: string, name: string) => [
    'DUPLICATE_NAME',
    `two artifacts would be published to ${target} as ${shown(name)}`,
    'Give their tags an axis, such as {version}-{platform}, or publish one of them.',
  ],
  versionAbsent: (file: string, why: string) => [
    'VERSION_ABSENT',
    `no version in ${shown(file)}: ${why}`,
    '`match:` is a regular expression whose first group is the version; the file is read from the commit.',
  ],
  branch: (branch: string | null, allowed: readonly string[]) => [
    'BRANCH_NOT_ALLOWED',
    `the commit is on ${branch === null ? 'no branch' : shown(branch)}; releases are made from ${allowed.join(', ')}`,
    'Check out such a branch, or add yours to release.branches.',
  ],
  pullRequest: (profile: string) => [
    'PULL_REQUEST_NOT_RELEASED',
    `this is a build of a pull request, and profile ${profile} publishes`,
    'Rehearse it (`--profile local`); release it from a branch when it is merged.',
  ],
  epochOfNothing: (name: string, known: Iterable<string>) => [
    'EPOCH_OF_NOTHING',
    `epochs: this plan has no step ${shown(name)}${didYouMean(name, known)}`,
    'Name a step, or what ids of steps begin with; `slipway plan` lists them.',
  ],
  noCacheNamesNothing: (name: string, steps: readonly string[]) => [
    'NO_CACHE_NAMES_NOTHING',
    `--no-cache: this plan has no step ${shown(name)}${didYouMean(name, steps)}`,
    '`slipway plan` lists the steps. The release file stands before it: `slipway run FILE --no-cache`.',
  ],
  noCacheNotReadable: (said: unknown) => [
    'NO_CACHE_NOT_READABLE',
    `"noCache" is true, or a list of steps, and not ${(JSON.stringify(said) ?? 'nothing').slice(0, 80)}`,
    `Start it with \`--input '{"file": "/path/to/slipway.yaml", "noCache": ["wheels/skiff"]}'\`.`,
  ],
  tooManyComparisons: (id: string, most: number) => [
    'MATRIX_TOO_LARGE',
    `${id}: matrices, needs and excludes of the file ask for more than ${most} comparisons`,
    'Shorten the longest axis, `exclude` or `needs`. To leave out most combinations, write the others under `include`.',
  ],
  unknownSource: (name: string, known: Iterable<string>) => [
    'UNKNOWN_SOURCE',
    `${shown(name)} names no source of this file${didYouMean(name, known)}`,
    'Write an entry of `sources:`, or the name of one.',
  ],
  noSource: (id: string) => [
    'UNKNOWN_SOURCE',
    `${id} needs a source, and this file has only named ones`,
    'Write `source: NAME` there, with a name of `sources:`.',
  ],
  otherSource: (own: string, sdist: string, theirs: string | null) => [
    'SOURCE_DIFFERS',
    `it is built from sdists/${sdist}, whose source is ${theirs === null ? 'that of the file' : shown(theirs)}, not ${shown(own)}`,
    'Take `source` away here, or need an sdist of that source.',
  ],
  sourceNameTaken: (name: string) => [
    'SOURCE_NAME_TAKEN',
    `the source ${shown(name)} has the name of the file's own source`,
    'Rename the entry of `sources:`, for instance to NAME-VERSION.',
  ],
  noHead: () => [
    'MISSING_KEY',
    '"release" is missing, and so is "pipeline"',
    'Write `release: { name: NAME, version: VERSION }` to publish a version, or `pipeline: { name: NAME, label: date }` to run under a label.',
  ],
  twoHeads: () => [
    'WRONG_VALUE',
    'the file has both "release" and "pipeline"',
    'Keep `release` to publish a version, or `pipeline` to run under a label.',
  ],
  labelOfRelease: (label: string) => [
    'LABEL_NOT_TAKEN',
    `the file describes a release, which has a version and takes no label ${shown(label)}`,
    'Leave `--label` out, or write `pipeline: { name: NAME, label: date }` in place of `release`.',
  ],
  labelWithoutCommit: () => [
    'LABEL_WITHOUT_COMMIT',
    'the label is the commit, and the source is an sdist, which has none',
    'Write `label: date` or `label: minute`, or give one with `--label`.',
  ],
});
