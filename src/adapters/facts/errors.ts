import { catalogue } from '../../model/catalogue.js';
import { problem } from '../../model/problem.js';
import { config } from '../../plan/errors.js';

/** Quotes and shortens a path that another user may have chosen. */
const shown = (path: string): string => JSON.stringify(path.slice(0, 200));

const DEEPEN = 'Type `git fetch --unshallow` there; in CI, let the checkout fetch the whole history.';

export const problems = {
  ...catalogue(config, {
    noGit: (folder: string, why: string) => [
      'GIT_ABSENT',
      `${JSON.stringify(folder)} is not a git repository that can be read: ${why}`,
      "Correct `source.git`, the path of a repository from the release file's folder; `git init` makes a new one.",
    ],
    commitAbsent: (commit: string, folder: string) => [
      'COMMIT_ABSENT',
      `the repository ${JSON.stringify(folder)} has no commit ${JSON.stringify(commit)}`,
      commit === 'HEAD'
        ? 'Nothing is committed there yet: `git add` and `git commit` what is to be released.'
        : '`git fetch` it there, or name one of `git log --oneline`.',
    ],
    shallow: (folder: string) => [
      'SNAPSHOT_OF_SHALLOW_CLONE',
      `${JSON.stringify(folder)} is a shallow clone: its commits cannot be counted`,
      'Type `git fetch --unshallow --tags` there; in CI, let the checkout fetch the whole history.',
    ],
    sinceUnknown: (since: string, isShallow: boolean) => [
      'SINCE_UNKNOWN',
      `the repository has no commit, branch or tag ${JSON.stringify(since)}`,
      isShallow
        ? DEEPEN
        : '`git fetch` it there, or give `--since` one that `git branch --all` or `git log --oneline` lists.',
    ],
    noMergeBase: (since: string, commit: string, isShallow: boolean) => [
      'SINCE_WITHOUT_MERGE_BASE',
      `${JSON.stringify(since)} and the commit ${commit.slice(0, 12)} have no common ancestor${isShallow ? ' in this shallow clone' : ''}`,
      isShallow ? DEEPEN : 'Give `--since` a branch of the same history, or leave it out: everything is planned then.',
    ],
    pathsUnread: (why: string, isLong: boolean) => [
      'SOURCE_PATHS_UNREADABLE',
      `git cannot list paths of the commit: ${isLong ? 'they are more than 64 MiB of text' : why.split('\n')[0]!.slice(0, 200)}`,
      isLong
        ? 'Name a part of the repository in `source.folder`, or take `when: { changed }` away.'
        : 'Type `git fetch --refetch --filter=blob:none` there if it is a clone without trees; otherwise `git fsck` says what is missing.',
    ],
    folderAbsent: (folder: string, commit: string) => [
      'SOURCE_FOLDER_ABSENT',
      `${commit} has no folder ${JSON.stringify(folder)}`,
      'Correct `source.folder`: it is a path from the top of the repository. `git ls-tree -d -r --name-only HEAD` lists its folders.',
    ],
    fileTooLarge: (bytes: number, most: number) => [
      'SOURCE_FILE_TOO_LARGE',
      `the file is too large: it has ${bytes} bytes, and at most ${most} of one file and 128 MiB of all are read`,
      'Make it smaller, and commit it.',
    ],
    noWorkingTree: (why: string) => [
      'WORKING_TREE_ABSENT',
      `there is no working tree to compare with or to write to: ${why.slice(0, 200)}`,
      'Name a release file whose `source.git` is a checkout; `slipway artifacts get NAME` copies a lock elsewhere.',
    ],
    noSettings: (named: readonly string[]) => [
      'SETTINGS_ABSENT',
      `the file has no settings that ${shown(named.join(', '))} could change`,
      'Leave `--preset` and `--set` out, or add `config: { file: config.yaml }` to the release file.',
    ],
    twoSettings: (features: readonly string[]) => [
      'SETTINGS_TWICE',
      `features ${features.map((one) => JSON.stringify(one)).join(' and ')} both read settings of this file`,
      'Keep the section of one of them.',
    ],
  }),
  noReleaseFile: problem.config((file: string) => [
    'RELEASE_FILE_ABSENT',
    `there is no file ${JSON.stringify(file)}`,
    'Name a release file or its folder. `slipway init` writes one in the checkout of a project.',
    { details: { file } },
  ]),
  unreadable: problem.config((file: string, why: string) => [
    'RELEASE_FILE_UNREADABLE',
    `${JSON.stringify(file)} cannot be read: ${why}`,
    'Fix its permissions, for instance with `chmod u+r`.',
  ]),
  bundleTooBig: problem.config((folder: string, what: string) => [
    'BUNDLE_TOO_BIG',
    `the release file's folder ${JSON.stringify(folder)} holds ${what}`,
    'Everything beside a release file travels with the plan. Put the release file into a folder of its own, such as release/, and write `git: ..` there.',
  ]),
  bundleLink: problem.config((path: string, to: string) => [
    'BUNDLE_LINK',
    `${JSON.stringify(path)} is a link to ${JSON.stringify(to)}`,
    'Everything beside a release file travels with the plan, and a link may lead elsewhere on another machine. Remove it, or put the release file into a folder of its own, such as release/, and write `git: ..` there.',
  ]),
  noProfile: problem.config((name: string, known: readonly string[]) => [
    'PROFILE_ABSENT',
    `there is no profile ${JSON.stringify(name)}`,
    `Profiles here: ${known.join(', ') || 'none'}. Name one of them, or write your own beside the release file as profiles/NAME.yaml.`,
  ]),
  unsafePath: problem.config((path: string, why: string) => [
    'LOCK_PATH_UNSAFE',
    `${JSON.stringify(path)} is not written or compared: ${why}`,
    'Correct `lock` in the release file, or replace the link in the working tree by a file or folder.',
  ]),
  importEndless: problem.bug((name: string, rounds: number) => [
    'IMPORT_ENDLESS',
    `the importer ${name} still asks after ${rounds} rounds`,
    'Report this with the release file and the imported file.',
  ]),
  importerWithoutForm: problem.config((feature: string, word: string) => [
    'FEATURE_IMPORTER_WITHOUT_FORM',
    `feature "${feature}" has an importer "${word}", and no schemas.ts has a form of an entry "SECTION.import.${word}"`,
    `Add the form to entries in src/features/${feature}/schemas.ts, or remove the importer from plan.ts.`,
  ]),
  formWithoutImporter: problem.config(
    ({ section, word, owner }: Readonly<Record<'section' | 'word' | 'owner', string>>) => [
      'FEATURE_FORM_WITHOUT_IMPORTER',
      `feature "${owner}" has the form of an entry "${section}.import.${word}", and no plan.ts has an importer "${word}"`,
      `Add the importer to src/features/${owner}/plan.ts, or remove the form from schemas.ts.`,
    ],
  ),
  askUnanswered: problem.config((word: string, ask: string) => [
    'FEATURE_ASK_UNANSWERED',
    `the importer "${word}" asks "${ask}", and no node.ts of a feature answers that`,
    `Add "${ask}" to answers in the node.ts of the importer's feature.`,
  ]),
  askUnlisted: problem.config((word: string, ask: string) => [
    'FEATURE_ASK_UNLISTED',
    `the importer "${word}" asks "${ask}", and its asks does not list that`,
    `Add "${ask}" to asks of the importer.`,
  ]),
  factsAbsent: problem.config((digest: string) => [
    'FACTS_ABSENT',
    `the store has no facts of a source under ${JSON.stringify(digest).slice(0, 90)}`,
    'Copy the digest behind facts of a plan that was run: `slipway plan --json` prints it.',
  ]),
  factsLack: problem.config((path: string) => [
    'FACTS_LACK',
    `the facts do not say what ${JSON.stringify(path).slice(0, 120)} holds`,
    'The release file changed since these facts were gathered. Plan without --facts.',
  ]),
  planningEnded: problem.config((file: string, why: string) => [
    'PLANNING_ENDED',
    `the process that planned ${shown(file)} was ended without a plan: ${why}`,
    'Import fewer or smaller files. `slipway plan FILE` plans in a process of your own, without limits, and says more.',
  ]),
  planningKilled: problem.infra((file: string, why: string) => [
    'PLANNING_KILLED',
    `the process that planned ${shown(file)} was ended from outside: ${why}`,
    'Type `slipway run FILE` again. Linux ends it where memory is short, and its kernel log says so: then give the control worker more memory.',
  ]),
  planAbsent: problem.config((digest: string) => [
    'PLAN_ABSENT',
    `the store of this worker has no plan ${digest}`,
    'Check that the worker uses the same store, then `slipway run` the release file again: it stores the plan.',
  ]),
  cannotSignPlans: problem.config(() => [
    'PLAN_NOT_SIGNABLE',
    'this home has no private control key, so no worker would carry out a plan that is made here',
    'Plan in the home that `slipway up` made, or copy its keys/control.key and name the folder in SLIPWAY_KEYS.',
  ]),
  planNotSigned: problem.config((digest: string) => [
    'PLAN_NOT_SIGNED',
    `the plan ${digest} is in the store, but no planner of this home signed it`,
    'Type `slipway run FILE` in this home: it plans the release file and signs the plan. Another home needs the same keys (SLIPWAY_KEYS).',
  ]),
  outsideRoots: problem.config((file: string, roots: readonly string[]) => [
    'RELEASE_FILE_OUTSIDE',
    `${shown(file)} is not below a folder from which this worker may read release files (${roots.map(shown).join(', ') || 'none so far'})`,
    "Type `slipway run FILE` as the worker's user, which allows the file's folder from then on; or set SLIPWAY_ROOTS on the control worker.",
  ]),
  repositoryOutside: problem.config((file: string, named: string) => [
    'REPOSITORY_OUTSIDE',
    `${shown(named)} leads to a repository that ${shown(file)} did not name when it was last run here`,
    "Type `slipway run FILE` as the worker's user, which allows the repositories of the file from then on; or set SLIPWAY_ROOTS on the control worker.",
  ]),
  notOwned: problem.config((path: string, owner: number, me: number) => [
    'RELEASE_FILE_NOT_OWNED',
    `${shown(path)} belongs to user ${owner}; a worker of user ${me} carries out only files of its own user or of root`,
    "Copy the project into a folder of the worker's user, or type `slipway run FILE` as that user.",
  ]),
  writableByOthers: problem.config((path: string, mode: number) => [
    'RELEASE_FILE_WRITABLE',
    `other users may change ${shown(path)}: its mode is ${(mode & 0o7777).toString(8)}`,
    `Type \`chmod go-w ${path}\`, then start the release again.`,
  ]),
  noPlanFile: problem.config((file: string) => [
    'PLAN_FILE_ABSENT',
    `there is no file ${JSON.stringify(file)}`,
    'Name a release file, the output of `slipway plan --json`, or the digest of a plan: `slipway simulate FILE`.',
  ]),
  notAPlanFile: problem.config((file: string, why: string) => [
    'PLAN_FILE_NOT_A_PLAN',
    `${JSON.stringify(file)} is no plan: ${why}`,
    'Name a release file, the output of `slipway plan --json`, or the digest of a plan.',
  ]),
  noFleetFile: problem.config((file: string) => [
    'FLEET_FILE_ABSENT',
    `there is no file ${JSON.stringify(file)}`,
    'Name a fleet file, such as config/fleet.yaml, which says what each key means; or --workers 4.',
  ]),
  notAPlan: problem.config((digest: string, why: string) => [
    'PLAN_NOT_A_PLAN',
    `${digest} is in the store, but it is no plan: ${why}`,
    'Name the digest that `slipway plan` prints.',
  ]),
} as const;
