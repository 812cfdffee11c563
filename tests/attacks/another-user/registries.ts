import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../src/activities/publish/connect.js';
import { keysFolder } from '../../../src/adapters/home-keys/open.js';
import { serviceLogins } from '../../../src/adapters/home-keys/service-secrets.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { SERVICE_SECRETS } from '../../../src/model/service-login.js';
import { accessLogFile } from '../../../src/services/folders.js';
import { aTarget } from '../../activities/publish/release.js';
import { aPlan } from '../../support/run-body.js';
import { OTHER, type Attack, type Ground } from './ground.js';

const JSON_TYPE = ['-H', 'content-type: application/json'];

const addressOf = ({ services }: Ground, name: string): string => services.address(name)!;
const devpi = (ground: Ground): string => new URL(addressOf(ground, 'index')).origin;
const loginTo = ({ home }: Ground, name: string) => serviceLogins(keysFolder({}, home), SERVICE_SECRETS)(name);
const asOurs = (ground: Ground, name: string): readonly string[] => {
  const { username, password } = loginTo(ground, name)!;
  return ['-u', `${username}:${password}`];
};
const logged = ({ home }: Ground, name: string): string => readFileSync(accessLogFile(home, name), 'utf8');

/** The status of a request by the other user; 000 without an answer. */
async function status(ground: Ground, ...args: readonly string[]): Promise<string> {
  const { text } = await ground.other(['curl', '-s', '-o', '/dev/null', '-m', '30', '-w', '%{http_code}', ...args]);
  return text;
}

/** Begins a PUT as the other user. It ends when the returned function is called. */
function beginPut(url: string): () => Promise<unknown> {
  const child = spawn('curl', ['-s', '-T', '-', url], { ...OTHER, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => undefined); // the refusal ends the program
  child.stdin.write('theirs');
  return () => {
    child.stdin.end();
    return ended;
  };
}

/** Connects as a publish step does, with what a profile says of a password. */
async function openTarget(ground: Ground, kind: 'python' | 'maven' | 'oci', name: string) {
  const nameIn = (text: string): string => text.slice('service:'.length);
  const work = {
    ...{ plan: aPlan({}), step: { params: {} }, secret: () => Promise.reject(new Error('the profile was asked')) },
    ...{
      address: (text: string) => addressOf(ground, nameIn(text)),
      login: (text: string) => loginTo(ground, nameIn(text)),
    },
  };
  const said = {
    username: 'root',
    password: '$SLIPWAY_INDEX_PASSWORD',
    repository: kind === 'oci' ? 'org/skiff' : null,
  };
  const connection = await connect(work, aTarget({ kind, address: `service:${name}`, ...said }));
  const session = { signal: new AbortController().signal, folder: ground.folder, log: { write: () => undefined } };
  return createTargets().open(connection, session as never);
}

export const registries: readonly Attack[] = [
  {
    title: '[D3] puts an image into the registry under a version and under latest: 401 before the first byte, and told',
    async run(ground) {
      const registry = `http://${addressOf(ground, 'registry')}/v2/`;
      const at = `${registry}ninia/jep/`;
      expect(await status(ground, '-X', 'POST', `${at}blobs/uploads/`)).toBe('401');
      for (const tag of ['4.3.2', 'latest']) {
        expect(await status(ground, '-X', 'PUT', '-d', '{}', `${at}manifests/${tag}`)).toBe('401');
        expect(await status(ground, '-X', 'DELETE', `${at}manifests/${tag}`)).toBe('401');
        expect(logged(ground, 'refused')).toContain(`PUT 401 "/v2/ninia/jep/manifests/${tag}"`);
      }
      expect(await status(ground, registry)).toBe('200');
    },
  },
  {
    title: '[D3] puts a new version and maven-metadata.xml into the Maven repository: 401, and told',
    async run(ground) {
      for (const path of ['black/ninia/jep/9.9/jep-9.9.jar', 'black/ninia/jep/maven-metadata.xml']) {
        const url = addressOf(ground, 'maven') + path;
        expect(await status(ground, '-X', 'PUT', '-d', 'theirs', url)).toBe('401');
        expect(await status(ground, '-u', `root:${'0'.repeat(64)}`, '-X', 'PUT', '-d', 'theirs', url)).toBe('401');
        expect(existsSync(join(ground.home, 'maven', path))).toBe(false);
        expect(logged(ground, 'maven')).toContain(`PUT 401 "/${path}"`);
      }
    },
  },
  {
    title: '[D3] begins a PUT before ours and ends it after ours: our bytes stay',
    async run(ground) {
      const path = 'org/skiff/1.0/skiff-1.0.jar';
      const url = addressOf(ground, 'maven') + path;
      const end = beginPut(url);
      expect(await status(ground, ...asOurs(ground, 'maven'), '-X', 'PUT', '-d', 'ours', url)).toBe('201');
      await end();
      expect(readFileSync(join(ground.home, 'maven', path), 'utf8')).toBe('ours');
    },
  },
  {
    title: '[D3] makes a user and an index of devpi and uploads 20 MB: 401, and nothing is stored',
    async run(ground) {
      const put = (body: string, path: string) =>
        status(ground, '-X', 'PUT', ...JSON_TYPE, '-d', body, `${devpi(ground)}${path}`);
      expect(await put('{"password":"x"}', '/stranger')).toBe('401');
      expect(await put('{"type":"stage"}', '/root/theirs')).toBe('401');
      await ground.other(['truncate', '-s', '20M', 'theirs-1.tar.gz']);
      const form = [
        '-F',
        ':action=file_upload',
        '-F',
        'name=theirs',
        '-F',
        'version=1',
        '-F',
        'content=@theirs-1.tar.gz',
      ];
      expect(await status(ground, ...form, addressOf(ground, 'index'))).toBe('401');
      const body = JSON.stringify({ user: 'root', password: 'x'.repeat(5_000) });
      expect(await status(ground, '-X', 'POST', ...JSON_TYPE, '-d', body, `${devpi(ground)}/+login`)).toBe('413');
      expect(await status(ground, `${devpi(ground)}/root/theirs`)).toBe('404');
      expect(await status(ground, `${addressOf(ground, 'index')}+simple/theirs/`)).toBe('404');
    },
  },
  {
    title: '[D3] spells writes to devpi and its login in other ways, and leaves test results: 401 or no such page',
    async run(ground) {
      const login = ['//+login', '/x/../+login', '/x/%2e%2e/+login', '/%2Blogin', '/root/release/+f/../../../+login'];
      const write = [
        ...['/+login/../root/theirs', '/+login%2f..%2froot%2ftheirs', '/+login;/../root/theirs', '/+login%3f/root'],
        ...['//root/theirs', '/+slipway/../root/theirs', '/root/release/+f/abc/def/x.whl', '/root/release'],
      ];
      const send = (method: string, path: string) =>
        status(ground, '--path-as-is', '-X', method, ...JSON_TYPE, '-d', '{"type":"stage"}', devpi(ground) + path);
      for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
        for (const path of write) expect({ method, path, is: await send(method, path) }).toMatchObject({ is: '401' });
        // devpi answers these: a login needs the password, and no other method has a page.
        for (const path of login) expect(['400', '401', '404']).toContain(await send(method, path));
      }
      expect(await status(ground, `${devpi(ground)}/root/theirs`)).toBe('404');
      const index = await ground.other(['curl', '-s', '-m', '10', `${devpi(ground)}/root/release`]);
      expect(JSON.parse(index.text)).toMatchObject({ result: { acl_toxresult_upload: ['root'], projects: [] } });
    },
  },
  {
    title: '[D3] asks for a path of 6,000 characters: a line of the log has at most 1,500',
    async run(ground) {
      const path = `maven-${'x'.repeat(6_000)}`;
      await ground.other(['curl', '-s', '-m', '10', '-A', 'y'.repeat(900), addressOf(ground, 'maven') + path]);
      const line = logged(ground, 'maven')
        .split('\n')
        .find((one) => one.includes('maven-xxx'))!;
      expect(line.length).toBeLessThan(1_500);
    },
  },
  {
    title:
      '[D2] begins an upload to staging and reads it, without a secret, with a guess, and with that of the registry: 401',
    async run(ground) {
      const staging = `http://${addressOf(ground, 'staging')}/v2/`;
      for (const login of [[], ['-u', 'staging:guess'], asOurs(ground, 'registry')]) {
        expect(await status(ground, ...login, '-X', 'POST', `${staging}bases/jre/blobs/uploads/`)).toBe('401');
        expect(await status(ground, ...login, `${staging}_catalog`)).toBe('401');
      }
      expect(await status(ground, ...asOurs(ground, 'staging'), `${staging}_catalog`)).toBe('200');
    },
  },
  {
    title: '[D2] [D3] asks the sockets behind nginx, and reads the secrets and their hashes: reaches none',
    async run(ground) {
      const { home } = ground;
      for (const name of ['devpi', 'registry', 'staging'])
        expect(await status(ground, '--unix-socket', join(home, 'sockets', `${name}.sock`), 'http://d/')).toBe('000');
      for (const name of [
        'keys/publish.key',
        'keys/staging.key',
        'nginx/publish.passwords',
        'nginx/staging.passwords',
      ]) {
        expect((await ground.other(['cat', join(home, name)])).text).toContain('Permission denied');
        expect(lstatSync(join(home, name)).mode & 0o777).toBe(0o600);
      }
    },
  },
  {
    title: '[D3] has done all that: the release goes on, by the secret of the home and none of the profile',
    async run(ground) {
      const kinds = { index: 'python', maven: 'maven', registry: 'oci' } as const;
      for (const [name, kind] of Object.entries(kinds)) {
        const target = await openTarget(ground, kind, name);
        await target.prove('skiff', '1.2.3', []);
        expect((await target.source()).credential).toBeNull();
      }
    },
  },
];
