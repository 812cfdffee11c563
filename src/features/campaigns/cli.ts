import type { FeatureCli } from '../../cli/feature.js';
import { changedRows, whyValue, whyValueLines } from './pure/config/why.js';

export const campaigns: FeatureCli = {
  settings: {
    word: 'config',
    why(document, path) {
      const json = whyValue(document, path);
      return { json, lines: whyValueLines(json) };
    },
    changed: changedRows,
    files: async (record) => (await import('./pure/config/settings-files.js')).settingsFiles(record),
  },
  commands: [
    {
      after: 'plan',
      spec: {
        name: 'config',
        summary:
          'the configuration of a release file with the source of each changed value; what each preset does; a call of a command',
        arguments: [
          {
            name: '[action]',
            help: 'presets: apply each preset alone. call: arguments and line of a command. Absent, or a file: show the configuration',
          },
          { name: '[subject]', help: "release file or its folder (default: slipway.yaml); with call: 'GROUP COMMAND'" },
          { name: '[file]', help: 'with call: release file or its folder (default: slipway.yaml)' },
        ],
        options: [
          { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
          { flags: '--preset <name>', help: 'presets, in this order; more of them with commas', many: ',' },
          {
            flags: '--set <path=value>',
            help: 'a value as YAML: service.port=8080; more by another --set',
            many: '\0',
          },
          { flags: '--prefix <prefix>', help: 'with call: find the arguments under prefix/GROUP COMMAND' },
          { flags: '--suffix <suffix>', help: 'with call: find the arguments under GROUP COMMAND/suffix' },
          {
            flags: '--extra <name=value>',
            help: 'with call: an argument, its value as YAML: scale=3; more by another --extra',
            many: '\0',
          },
          { flags: '--json', help: 'all that is known as one JSON object' },
        ],
        run: async (...asked) => (await import('./node/config.js')).config(...asked),
      },
    },
  ],
};
