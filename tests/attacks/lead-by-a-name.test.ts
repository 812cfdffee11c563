/** @needs tools */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { toolsBin } from '../../src/adapters/home.js';
import { PIP_SESSION } from '../../src/model/python/pip-session.js';
import { type PythonIndex, startPythonIndex } from '../doubles/python-index.js';

/** Asks URLs by pip's session, while names resolve to what the test says: one list of addresses for each question. */
const PROBE = String.raw`${PIP_SESSION}
import json
from pip._internal.commands.download import DownloadCommand
say, asked, connected, plain = json.load(sys.stdin), [], [], socket.getaddrinfo
def resolve(host, port, *how):
    if host not in say["names"]: return plain(host, port, *how)
    asked.append(host)
    addresses = say["names"][host].pop(0)
    return [one for address in addresses for one in plain(address, port, 0, socket.SOCK_STREAM)]
socket.getaddrinfo = resolve
def seen(event, what):
    if event == "socket.connect" and isinstance(what[1], tuple): connected.append(what[1][0])
sys.addaudithook(seen)
class Probe(DownloadCommand):
    def run(self, options, args):
        session = session_of(self, options, urllib3.Retry(0, read=False))
        said = []
        for url in say["urls"]:
            try:
                with session.get(url, timeout=2) as answer: said.append(answer.status_code)
            except Exception as error:
                said.append(words_of(error))
        print(json.dumps({"said": said, "asked": asked, "connected": connected}))
        return 0
sys.exit(Probe("download", "").main([*QUIET, "--isolated", *say["options"]]))
`;

interface Said {
  readonly said: readonly (string | number)[];
  readonly asked: readonly string[];
  readonly connected: readonly string[];
}
interface Probe {
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly urls: readonly string[];
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function probed({ env, ...say }: Probe): Promise<Said> {
  const own = { PATH: process.env['PATH'], NO_PROXY: '', ...env };
  const python = spawn(join(toolsBin(), 'python'), ['-c', PROBE], { env: own, stdio: ['pipe', 'pipe', 'inherit'] });
  python.stdin.end(JSON.stringify({ names: {}, options: [], ...say }));
  return JSON.parse(await text(python.stdout)) as Said;
}

let index: PythonIndex;
let port: string;
beforeEach(async () => {
  index = await startPythonIndex();
  port = new URL(index.address).port;
  index.project('skiff', []);
});
afterEach(() => index.stop());

const NAME = 'metadata.invalid';
const page = (host: string): string => `http://${host}:${port}/simple/skiff/`;

test.each([
  ['a link-local address', '169.254.169.254', 'a link-local'],
  ['a link-local address of IPv6', 'fe80::1', 'a link-local'],
  ['a link-local address inside of an IPv6 one', '::ffff:169.254.169.254', 'a link-local'],
  ['the unspecified address', '0.0.0.0', 'an unspecified'],
  ['the unspecified address of IPv6', '::', 'an unspecified'],
])('given a name that resolves to %s, when it is asked, then nothing is connected', async (_, address, kind) => {
  const names = { [NAME]: [[address]] };
  const said = [`the host name resolves to ${kind} address`];
  expect(await probed({ names, urls: [page(NAME)] })).toEqual({ said, asked: [NAME], connected: [] });
});

test('given a redirect to a name of a link-local address, when it is followed, then only the index is connected', async () => {
  index.answer('skiff', (_, response) => void response.writeHead(302, { location: page(NAME) }).end());
  expect(await probed({ names: { [NAME]: [['169.254.169.254']] }, urls: [index.address + 'skiff/'] })).toEqual({
    said: ['the host name resolves to a link-local address'],
    asked: [NAME],
    connected: ['127.0.0.1'],
  });
});

test('given a name that resolves anew to a link-local address, when it is asked again, then each connection is to the address that was judged', async () => {
  index.answer('skiff', (_, response) => void response.writeHead(200, { connection: 'close' }).end());
  const names = { [NAME]: [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']] };
  expect(await probed({ names, urls: Array.from({ length: 3 }, () => page(NAME)) })).toEqual({
    said: [200, 'the host name resolves to a link-local address', 200],
    asked: [NAME, NAME, NAME],
    connected: ['127.0.0.1', '127.0.0.1'],
  });
});

test('given a name with a link-local and another address, when it is asked, then the other one is connected', async () => {
  const names = { [NAME]: [['fe80::1', '169.254.1.1', '127.0.0.1']] };
  expect(await probed({ names, urls: [page(NAME)] })).toMatchObject({ said: [200], connected: ['127.0.0.1'] });
});

test('given an index that the settings name by an unspecified address, when it is asked, then it answers', async () => {
  const options = ['--index-url', `http://0.0.0.0:${port}/simple/`];
  expect(await probed({ urls: [page('0.0.0.0')], options })).toMatchObject({ said: [200] });
});

test('given a proxy whose name has a link-local address, when an index is asked, then the proxy is connected', async () => {
  const names = { 'proxy.invalid': [['0.0.0.0']] };
  const env = { http_proxy: `proxy.invalid:${port}` };
  const { said, connected } = await probed({ names, urls: [page('index.invalid')], env });
  expect({ said: typeof said[0], connected }).toEqual({ said: 'number', connected: ['0.0.0.0'] });
});
