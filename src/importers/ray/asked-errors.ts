import { catalogue } from '../../model/catalogue.js';
import { counted } from '../../model/counted.js';
import { didYouMean } from '../../model/suggest.js';
import { config, quoted, some } from '../file-problem.js';

/** Problems of what an import asks for. */
export const asked = catalogue(config, {
  noFilter: (text: string) => [
    'RAY_TESTS_FILTER',
    `the filter ${quoted(text)} has no colon`,
    'Write attribute:expression, such as team:core, name:many_ or prefix:long_running.',
  ],
  unknownAttribute: (attr: string, known: readonly string[]) => [
    'RAY_TESTS_FILTER',
    `no release test has the attribute ${quoted(attr)}${didYouMean(attr, known)}`,
    `Write one of ${known.join(', ')}.`,
  ],
  badExpression: (value: string, why: string) => [
    'RAY_TESTS_FILTER',
    `${quoted(value)} is no regular expression of RE2: ${why}`,
    'Write it without look-ahead and back-references, or as prefix:TEXT.',
  ],
  unknownFrequency: (said: string, known: readonly string[]) => [
    'RAY_TESTS_FREQUENCY',
    `no release test has the frequency ${quoted(said)}${didYouMean(said, known)}`,
    `Write one of ${known.join(', ')}.`,
  ],
  changeIdle: (match: readonly string[]) => [
    'RAY_TESTS_CHANGE_IDLE',
    `no test of the files matches ${match.map(quoted).join(' and ')}, so the change changes nothing`,
    'Correct `match` of the change, or remove the change.',
  ],
  noStandings: () => [
    'RAY_TESTS_NO_STANDINGS',
    'tests are chosen by their states, and the file has no "standings"',
    'Add `standings: { branch: BRANCH }`, or remove `jailed` and filters that begin with state: from `where`.',
  ],
  nothingChosen: (all: number, counts: Readonly<Record<string, number>>) => [
    'RAY_TESTS_NOTHING_CHOSEN',
    `the files describe ${counted(all, 'test')}, and none is taken: ${
      Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ') || 'they are empty'
    }`,
    'Correct `where` of the import, or --where and --frequency of the command.',
  ],
  noVersionBase: (version: string, tests: readonly string[]) => [
    'RAY_TESTS_NO_VERSION',
    `no base is named for ray_version ${quoted(version)} of ${counted(tests.length, 'test')}: ${some(tests)}`,
    `Add \`versions: { '${version}': NAME }\` with a name in bases: to \`byod\` of the import.`,
  ],
  noCluster: (env: string, tests: readonly string[]) => [
    'RAY_TESTS_NO_CLUSTER',
    `the import names no cluster for the environment ${quoted(env)} of ${counted(tests.length, 'test')}: ${some(tests)}`,
    `Add \`clusters: { ${env}: NAME }\` with a name in clusters:, or \`clusters: { ${env}: drop }\`.`,
  ],
  unknownEnvironment: (env: string) => [
    'RAY_TESTS_UNKNOWN_ENV',
    `the commit has no file of the environment ${quoted(env)}, and \`clusters\` of the import does not name it`,
    `Correct env, commit release/ray_release/environments/${env}.env, or add \`clusters: { ${env}: NAME }\`.`,
  ],
  unknownAlert: (suite: string, known: readonly string[]) => [
    'RAY_TESTS_UNKNOWN_ALERT',
    `${quoted(suite)} is no suite of alerts${didYouMean(suite, known)}`,
    `Correct alert to one of ${known.join(', ')}, and commit the file.`,
  ],
  unknownInstance: (type: string, tests: readonly string[]) => [
    'RAY_TESTS_UNKNOWN_INSTANCE',
    `the instance type ${quoted(type)} of ${counted(tests.length, 'test')} is unknown: ${some(tests)}`,
    `Add \`instances: { ${/^[\w.-]+$/.test(type) ? type : JSON.stringify(type)}: { cpus: N, gpus: N } }\` to the import, or \`instances: { '*': small }\` for all unknown ones.`,
  ],
  unknownGroup: (said: string, known: readonly string[]) => [
    'RAY_TESTS_UNKNOWN_GROUP',
    `${quoted(said)} is no concurrency group${didYouMean(said, known)}`,
    `Write one of ${known.join(', ')}.`,
  ],
});
