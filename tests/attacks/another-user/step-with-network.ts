import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack, Ground } from './ground.js';

/** Lines of a step with the network. Each ends the step if an attack succeeds. */
const attempts = (ground: Ground): readonly string[] => {
  const temporal = ground.services.address('temporal')!;
  const curl = 'curl -s -m 10 -o /dev/null';
  return [
    `[ "$(${curl} -w '%{http_code}' ${ground.page()}/api/v1/settings)" = 401 ]`,
    `if ${curl} --http2-prior-knowledge http://${temporal}/; then exit 1; fi`,
    `if ${curl} --http2 -k https://${temporal}/; then exit 1; fi`,
    `if ls ${join(ground.home, 'door')}; then exit 1; fi`,
    ...['staging', 'registry'].map(
      (name) => `[ "$(${curl} -w '%{http_code}' -X POST ${uploads(ground, name)})" = 401 ]`,
    ),
    `if ls ${join(ground.home, 'keys')} ${join(ground.home, 'sockets')}; then exit 1; fi`,
    'echo nothing was let in',
  ];
};

const uploads = ({ services }: Ground, name: string): string =>
  `http://${services.address(name)!}/v2/bases/jre/blobs/uploads/`;

export const stepWithNetwork: readonly Attack[] = [
  {
    title:
      '[D1] [D2] [D3] a step with `network: true` asks Temporal, its page and the registries, and looks for the home: all refuse, the run ends well',
    async run(ground) {
      const project = join(ground.home, 'projects', 'network');
      mkdirSync(project, { recursive: true });
      const file = `slipway: 1
release: { name: network, version: '1.0' }
source: { git: ., commit: HEAD }
platforms: [linux-x86_64]
pythons: [cp311]
steps: { ask: { network: true, run: sh -e attempts.sh } }
`;
      writeFileSync(join(project, 'slipway.yaml'), file);
      writeFileSync(join(project, 'attempts.sh'), attempts(ground).join('\n'));
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project, stdio: 'ignore' });
      git('init');
      git('add', '.');
      git('commit', '-m', 'one');
      const { code, text } = await ground.slipway('run', project, '--wait');
      expect({ code, text }).toEqual({ code: 0, text });
      const log = await ground.slipway('logs', 'steps/ask');
      expect(log.text).toContain('nothing was let in');
    },
  },
];
