import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import { checkHooks, readHooksFile } from '../../../src/features/campaigns/node/hooks-file.js';
import { gitAddressOf, mayStart, notForComments } from '../../../src/features/campaigns/pure/comments/hooks.js';
import { HookJob, Hooks } from '../../../src/features/campaigns/schemas/hooks.js';
import { readChecked } from '../../../src/plan/read/release-file.js';
import { SlipwayFailure } from '../../../src/model/failure.js';
import type { Finding } from '../../../src/services/doctor/check.js';

const HEAD = 'hooks: 1\nrepository: skiff/boat\ntoken: $TOKEN\nsecret: $HOOK\n';
const FILE = `${HEAD}jobs:\n  night: { file: night.yaml }\n`;
const SECRETS = { TOKEN: 'a', HOOK: 'b' };
const read = (text: string) => readChecked(text, 'hooks.yaml', Hooks).content;

/** `line:column code message`, of each problem. */
function problemsOf(text: string): readonly string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    if (!(error instanceof SlipwayFailure)) throw error;
    return error.problems.map(({ code, message, place }) => `${place?.line}:${place?.column} ${code} ${message}`);
  }
}

describe('hooks.yaml', () => {
  it('has defaults: writers may start runs, forks may not, comments are asked for each five minutes', () => {
    expect(read(FILE)).toMatchObject({
      ...{
        address: 'https://api.github.com',
        allow: { permission: 'write' },
        forks: 'refuse',
        poll: 300_000,
        others: [],
      },
      jobs: { night: { file: 'night.yaml', profile: 'local', presets: [], args: 'presets' } },
    });
  });

  it('has an example with each key', () => {
    const example = read(readFileSync('config/hooks.example.yaml', 'utf8'));
    expect(Object.keys(example).sort()).toEqual(Object.keys(Hooks.shape).sort());
    expect(Object.keys(example.jobs['jump']!).sort()).toEqual(Object.keys(HookJob.shape).sort());
  });

  it('tells all problems at once, with line and column', () => {
    const text = `${HEAD}fork: refuse\npoll: 5\njobs:\n  night: { fil: a.yaml, args: cluster presets }\n  "a b": { file: c }\n`;
    expect(problemsOf(text)).toEqual([
      '5:1 UNKNOWN_KEY unknown key; did you mean "forks"?',
      expect.stringMatching(/^6:7 /),
      '8:10 MISSING_KEY "file" is missing',
      '8:12 UNKNOWN_KEY unknown key; did you mean "file"?',
      expect.stringMatching(/^9:3 WRONG_VALUE "a b": a name begins/),
    ]);
  });

  it.each([
    ['a written token', FILE.replace('$TOKEN', 'ghp_topsecret'), 'a secret is named, never written'],
    ['a token that is a number', FILE.replace('$TOKEN', '123456'), 'a secret is named, never written'],
    ['a written secret', FILE.replace('$HOOK', 'topsecret'), 'a secret is named, never written'],
    ['a secret that is a number', FILE.replace('$HOOK', '123456'), 'a secret is named, never written'],
    [
      'no way to hear of comments',
      FILE.replace(/secret: .*/, 'poll: off'),
      'without "secret" comments come by poll alone',
    ],
    ['no job', `${HEAD}jobs: {}\n`, 'without a job no comment starts anything'],
    ['nobody who may', `${FILE}allow: []\n`, 'an empty list allows nobody'],
    ['a permission that is none', `${FILE}allow: { permission: writ }\n`, 'did you mean "write"?'],
    [
      'a cluster without its setting',
      FILE.replace('night.yaml', 'a, args: cluster presets'),
      'args has cluster: write the setting',
    ],
    ['a repository that climbs', FILE.replace('skiff/boat', 'skiff/..'), 'a repository is owner/name'],
    ['an address with a password', `${FILE}address: https://a:b@c.example\n`, 'an address is https://'],
    ['YAML that multiplies', `${FILE}others: [${'&a [*a'.repeat(3)}`, ''],
    ['nothing', '', 'expected sections such as "hooks:"'],
  ])('refuses %s', (_, text, message) => {
    const found = problemsOf(text).join();
    expect(found).toContain(message);
    expect(found).not.toMatch(/topsecret|123456/);
  });
});

describe('Who may', () => {
  const roles = ['admin', 'maintain', 'write', 'triage', 'read', 'none'];
  const those = (allow: string, of: (role: string) => object): string =>
    roles.filter((role) => mayStart(read(`${FILE}allow: ${allow}\n`), 'bob', of(role) as never)).join(' ');
  it('start runs is a role, or a stronger one', () => {
    expect(those('{ permission: write }', (role) => ({ role, permission: 'read' }))).toBe('admin maintain write');
    expect(those('{ permission: triage }', (role) => ({ role, permission: 'read' }))).toBe(
      'admin maintain write triage',
    );
    expect(those('{ permission: admin }', (role) => ({ role, permission: 'admin' }))).toBe('admin');
  });
  it('is known by the permission where the role has a name of its own', () => {
    expect(those('{ permission: write }', (permission) => ({ role: 'robots', permission }))).toBe(
      'admin maintain write',
    );
    expect(mayStart(read(FILE), 'bob', null)).toBe(false);
  });
  it('may be a list of logins, in any case', () => {
    const hooks = read(`${FILE}allow: [Alice]\n`);
    expect([mayStart(hooks, 'alice', null), mayStart(hooks, 'bob', { role: 'admin', permission: 'admin' })]).toEqual([
      true,
      false,
    ]);
  });
});

it.each([
  ['', 'https://github.com/skiff/boat.git'],
  ['address: https://github.example/api/v3\n', 'https://github.example/skiff/boat.git'],
  ['address: http://127.0.0.1:99\n', 'http://127.0.0.1:99/skiff/boat.git'],
  ['git: /srv/boat.git\n', '/srv/boat.git'],
])('git fetches from the repository: %j', (more, expected) => expect(gitAddressOf(read(FILE + more))).toBe(expected));

it('refuses a job that releases', () => {
  const profile = { name: 'public', rehearsal: false };
  expect(notForComments({ profile }, 'night')).toMatchObject({ code: 'HOOK_JOB_RELEASES' });
  expect(notForComments({ profile, pipeline: true }, 'night')).toBeNull();
  expect(notForComments({ profile: { ...profile, rehearsal: true } }, 'night')).toBeNull();
});

describe('The file of a home', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'hooks-'))));
  afterEach(() => rmSync(home, { recursive: true }));
  const write = (text: string): void => writeFileSync(join(home, 'hooks.yaml'), text, { mode: 0o600 });
  const commitAll = (): void => {
    const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', home, ...args]);
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
  };
  const told = async (env: object = { SLIPWAY_ROOTS: home, ...SECRETS }): Promise<string> =>
    [await checkHooks({ home, env, plans: () => Promise.resolve(FEATURE_PLANS) } as never)]
      .flat()
      .map(({ ok, detail, mend }: Finding) => `${ok} ${detail} ${mend}`)
      .join('\n');

  it('is not needed', async () => {
    expect(await readHooksFile(home)).toBeNull();
    expect(await told()).toBe('');
  });
  it('names release files beside it, and is told by doctor', async () => {
    write(FILE);
    expect((await readHooksFile(home))!.jobs['night']!.file).toBe(join(home, 'night.yaml'));
    expect(await told()).toContain(`false jobs.night: ${join(home, 'night.yaml')} is absent`);
    writeFileSync(
      join(home, 'night.yaml'),
      "slipway: 1\npipeline: { name: night, label: date }\nsource: { git: . }\nsteps: { a: { run: 'true' } }\n",
    );
    commitAll();
    expect(await told({})).toContain('false jobs.night: "' + join(home, 'night.yaml') + '" is not below a folder');
    expect(await told({})).toContain('Type `slipway run FILE`');
    expect(await told()).toBe('true skiff/boat: night; comments by delivery, asked each 300 s ');
  });
  it('has jobs and secrets that no comment can use told by doctor', async () => {
    write(FILE.replace('night.yaml', 'night.yaml, presets: [nigtly], cluster: cluster.nam, args: cluster presets'));
    const release =
      "slipway: 1\npipeline: { name: night, label: date }\nsource: { git: . }\nconfig: {}\nsteps: { a: { run: 'true' } }\n";
    writeFileSync(join(home, 'night.yaml'), release);
    writeFileSync(join(home, 'config.yaml'), 'cluster: { name: lab }\npresets: { nightly: { cluster.name: big } }\n');
    commitAll();
    expect(await told()).toContain(
      'false jobs.night: --preset nigtly: there is no preset "nigtly"; did you mean "nightly"?',
    );
    write(FILE.replace('night.yaml', 'night.yaml, cluster: cluster.nam, args: cluster presets'));
    expect(await told()).toContain('false jobs.night: cluster: "cluster.nam" is not in the configuration');
    write(FILE.replace('night.yaml', 'night.yaml, profile: nightly'));
    expect(await told()).toContain('false jobs.night: there is no profile "nightly"');
    write(FILE);
    expect(await told({ SLIPWAY_ROOTS: home })).toMatch(
      /^false token: \S+ is not set here .*\nfalse secret: \S+ is not set here /,
    );
    expect(await told()).toMatch(/^true/);
  });
  it.each([
    ['hooks.yaml names another repository', FILE, ['comments/a/b', 'comments/skiff/boat', 'pipeline/night']],
    ['there is no hooks.yaml', '', ['comments/a/b']],
  ])('has polls that stay although %s told by doctor', async (_, text, ids) => {
    if (text !== '') write(text);
    const all = JSON.stringify(ids.map((scheduleId) => ({ scheduleId })));
    writeFileSync(join(home, 'temporal'), `#!/bin/sh\ntest "$*" = 'schedule list -o json' && echo '${all}'\n`, {
      mode: 0o755,
    });
    const patient = { home, toolsBin: home, state: { services: {} }, env: process.env };
    const found = [await checkHooks(patient as never)]
      .flat()
      .filter(({ detail }: Finding) => detail.includes('polls what'));
    expect(found).toMatchObject([
      {
        detail: 'comments/a/b polls what hooks.yaml does not name',
        mend: 'temporal schedule delete -s comments/a/b',
      },
    ]);
  });
  it('has its mistakes told by doctor, each with its place', async () => {
    write(`${FILE}fork: refuse\npol: 5m\n`);
    expect(await told()).toContain(`false ${join(home, 'hooks.yaml')}:7: unknown key; did you mean "forks"?`);
    expect(await told()).toContain(`false ${join(home, 'hooks.yaml')}:8: unknown key; did you mean "poll"?`);
  });
  it('is refused where others may write it, and where it is a folder', async () => {
    write(FILE);
    chmodSync(join(home, 'hooks.yaml'), 0o666);
    await expect(readHooksFile(home)).rejects.toMatchObject({ problems: [{ code: 'RELEASE_FILE_WRITABLE' }] });
    expect(await told()).toContain('other users may change');
    rmSync(join(home, 'hooks.yaml'));
    mkdirSync(join(home, 'hooks.yaml'));
    expect(await told()).toContain('it is no plain file');
  });
});
