import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hosts } from '../../src/services/doctor/hosts.js';
import type { Patient } from '../../src/services/doctor/check.js';
import { receiversIn } from '../../src/plan/policy/receivers.js';
import type { Plan } from '../../src/model/plan.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const servers: Server[] = [];
async function serve(answer: (path: string) => readonly [number, string]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answer(request.url!);
    response.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => servers.forEach((server) => server.close()));

const base = (name: string, image: string) => ({
  id: `bases/${name}`,
  kind: 'makeBase',
  params: { name, from: { image }, oci: null },
});
const target = (name: string, address: string) => ({
  ...{ id: `prove/target/${name}`, kind: 'proveTarget' },
  params: { target: { name, kind: 'python', address, repository: null, username: null, password: null } },
});
const asked = (steps: readonly object[], engine?: string) =>
  hosts({
    named: receiversIn({ profile: { name: 'live', rehearsal: false }, steps } as unknown as Plan),
    state: engine === undefined ? null : { services: { docker: { address: engine } } },
  } as unknown as Patient);

test('given bases of registries, then the engine is asked for one image of each', async () => {
  const paths: string[] = [];
  const engine = await serve((path) => {
    paths.push(path);
    return path.includes('dead')
      ? [500, '{"message":"Get https://dead.example/v2/: no such host"}']
      : [404, '{"message":"unknown"}'];
  });
  const found = await asked(
    [base('a', `dead.example/a@${DIGEST}`), base('b', `dead.example/b@${DIGEST}`), base('c', `debian@${DIGEST}`)],
    engine,
  );
  expect(paths.toSorted()).toEqual([
    `/distribution/dead.example/a@${DIGEST}/json`,
    `/distribution/debian@${DIGEST}/json`,
  ]);
  expect(found).toEqual([
    {
      ...{ name: 'dead.example', ok: false },
      detail: 'Get https://dead.example/v2/: no such host; bases.a names it',
      mend: expect.stringContaining('correct bases.a, then type `slipway run FILE --supersede`'),
    },
    { name: 'docker.io', ok: true, detail: 'answers; bases.c names it', mend: '' },
  ]);
});

test('given an engine whose proxy answers with a page, then the status is told', async () => {
  const engine = await serve(() => [502, '<html>Bad Gateway</html>']);
  const [found] = await asked([base('a', `dead.example/a@${DIGEST}`)], engine);
  expect(found).toMatchObject({ ok: false, detail: 'answers with HTTP 502; bases.a names it' });
});

test('given addresses of targets, then each server is asked, and services of the home are not', async () => {
  const [broken, well] = [await serve(() => [503, '']), await serve(() => [401, ''])];
  const gone = await serve(() => [200, '']);
  await new Promise((resolve) => servers.at(-1)!.close(resolve));
  const found = await asked([
    target('b', `${broken}/simple/`),
    target('w', well),
    target('g', gone),
    target('own', 'service:index'),
  ]);
  expect(found.map(({ ok, detail }) => [ok, detail])).toEqual([
    [false, 'answers with HTTP 503; b names it'],
    [true, 'answers; w names it'],
    [false, 'ECONNREFUSED; g names it'],
  ]);
});
