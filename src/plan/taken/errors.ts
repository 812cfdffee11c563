import { catalogue } from '../../model/catalogue.js';
import type { Problem } from '../../model/failure.js';
import { config, shown, type Spot } from '../errors.js';
import { didYouMean } from '../../model/suggest.js';

/** Removes a password from an address. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/]*@/, '//…@');

interface Taken {
  readonly name: string;
  readonly take: string;
  readonly commit: string | null;
  readonly source: string;
}

const rows = catalogue(config, {
  otherCommit: ({ name, take, commit, source }: Taken) => [
    'WHEEL_COMMIT_DIFFERS',
    `${shown(take)} is the wheel ${name} of commit ${commit}, and the source is ${source}`,
    `Write \`source: { git: ., commit: wheels/${name} }\`: both are then of one commit. Or take \`commit\` of the wheel away: its commit is then not compared.`,
  ],
  notATake: (take: string) => [
    'WHEEL_TAKE_UNKNOWN',
    `${shown(withoutUser(take))} names no wheel`,
    'Write a commit, owner:commit, a branch, owner:branch, latest, an address without user and query that ends in .whl or /, file:PATH or store:RELEASE.',
  ],
  notTaken: (name: string, taken: readonly string[]) => [
    'WHEEL_NOT_TAKEN',
    `--wheels: the release file takes no wheel ${shown(name)}${didYouMean(name, taken)}`,
    taken.length === 0 ? 'Write `from: { at: … }` under the wheel.' : `It takes ${taken.join(', ')}.`,
  ],
  noAddress: (name: string, profile: string) => [
    'WHEEL_ADDRESS_UNKNOWN',
    `"at" has {wheels}, and the profile ${shown(profile)} has no address of the wheel ${shown(name)}`,
    `Name another profile with \`--profile\`, or write \`wheels: { ${name}: { address: https://… } }\` into this one, or the address into \`from.at\`.`,
  ],
  noForks: (owner: string, profile: string) => [
    'WHEEL_FORKS_UNKNOWN',
    `the profile ${shown(profile)} does not say where the wheels of ${shown(owner)} are`,
    "Write `wheels: { NAME: { forks: 'https://…/{owner}/{commit}/' } }` into the profile.",
  ],
  notAnAddress: (at: string) => [
    'WHEEL_ADDRESS_WRONG',
    `${shown(at)} is no address of a wheel or of a folder`,
    'It begins with http://, https://, s3:// or store:RELEASE/, ends in .whl or /, and has no user and no query.',
  ],
  noVersion: () => [
    'WHEEL_ADDRESS_WRONG',
    '"at" has {version}, and a pipeline has none',
    'Write the version of the wheels in its place, or the folder alone, which ends in /.',
  ],
  noBranch: (commit: string) => [
    'WHEEL_BRANCH_UNKNOWN',
    `"at" has {branch}, and nothing says the branch of ${commit}`,
    'Name the branches in `from.branches`: the first one that holds the commit is taken.',
  ],
  noBranches: () => [
    'WHEEL_BRANCH_UNKNOWN',
    '"latest" is the newest wheel of several branches, and none is named',
    'Name them in `from.branches`.',
  ],
  takeAbsent: (name: string, folder: string, owner: string | null) => [
    'WHEEL_TAKE_ABSENT',
    `the repository ${shown(folder)} has no ${owner === null ? 'commit or branch' : `remote branch of ${owner},`} ${shown(name)}`,
    owner === null
      ? 'Type `git fetch` there, or name one of `git branch --all`.'
      : `Type \`git remote add ${owner} ADDRESS\` and \`git fetch ${owner}\` there.`,
  ],
  needsGit: (take: string) => [
    'WHEEL_NEEDS_GIT',
    `${shown(take)} is looked up in a git repository, and the source is none`,
    'Write `source: { git: … }`, or take a whole commit of 40 digits or an address.',
  ],
  ofItself: (name: string) => [
    'WHEEL_OF_ITSELF',
    `source.commit is wheels/${name}, and this wheel takes the commit of the source`,
    `Write \`take:\` under wheels.${name}.from, or type \`slipway run --wheels ${name}=BRANCH\`.`,
  ],
  withoutCommit: (name: string, take: string) => [
    'WHEEL_COMMIT_UNKNOWN',
    `source.commit is wheels/${name}, and ${shown(take)} names no commit`,
    'Take a commit, a branch, or an address with 40 hex digits of a commit between slashes.',
  ],
  notOurs: (id: string) => [
    'WHEEL_NOT_OURS',
    `${id} is taken from another pipeline, and a release publishes only what it builds`,
    'Take it out of `files`; publish it where it is built.',
  ],
  fileAbsent: (path: string, why: string) => [
    'WHEEL_FILE_ABSENT',
    `${shown(path)} cannot be read: ${why}`,
    "Correct the path; it is relative to the release file's folder, and each Python needs a file of its own.",
  ],
  fileOutside: (path: string, name: string) => [
    'WHEEL_FILE_OUTSIDE',
    `${shown(path)} is neither in the folder of the release file nor in its checkout, or leads out of them`,
    `Type \`--wheels ${name}=file:PATH\` for a file elsewhere on this machine.`,
  ],
  storeBranch: (take: string) => [
    'WHEEL_STORE_BRANCH',
    `${shown(take)} is looked for commit by commit, and a store cannot be asked before a run`,
    'Take a commit, or wheels of an http address.',
  ],
});

/** Problems of `wheels.NAME.from` and of `--wheels`, which has no spot: `{}`. */
export const problems = {
  ...rows,
  notResolved: (spot: Spot, name: string): Problem => ({
    ...config(
      spot,
      'WHEEL_NOT_RESOLVED',
      `nothing decided which wheel ${shown(name)} is`,
      'Report this with the release file.',
    ),
    class: 'bug',
  }),
  noneAnswers: (spot: Spot, name: string, branch: string, tried: readonly string[]): Problem => ({
    ...config(
      spot,
      'WHEEL_NONE_YET',
      `none of the last ${tried.length} commits of ${shown(branch)} has wheels for all Pythons`,
      `Name one commit to wait for: \`slipway run --wheels ${name}=COMMIT\`. Or plan again later.`,
    ),
    class: 'infra',
    evidence: tried,
  }),
};
