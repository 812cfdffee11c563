import { aStep as ended } from '../../cli/a-run.js';
import { Releases } from '../../cli/a-why.js';
import { aPlan, aStep } from '../../support/run-body.js';
import { canonical } from '../../../src/model/json.js';
import { asBytes } from '../../activities/step/a-world.js';
import { aLock, aNode, hashOf } from './an-environment.js';

/** A plan of one spec. */
const planOf = (name: string, hash: string) =>
  aPlan({
    steps: [aStep('buildSpec', { name, hash } as never, { id: `specs/${name}-${hash.slice(0, 7)}`, stage: 'specs' })],
  });

test('given a spec with another hash than in an earlier run, then it is compared with the spec of that name', async () => {
  const releases = new Releases();
  const [first, second] = [hashOf('first'), hashOf('second')];
  await releases.run('one', 1, planOf('mast', first), [`specs/mast-${first.slice(0, 7)}`]);
  await releases.run('two', 2, planOf('sail', second), [`specs/sail-${second.slice(0, 7)}`]);
  const id = `specs/mast-${second.slice(0, 7)}`;
  await releases.run('three', 3, planOf('mast', second), [id]);
  const said = await releases.ask(id, 'three', [ended(id, 'buildSpec', 'done', { ms: 5 })]);
  expect(said).toContain('ran: one field of its key changed\n  compared with rehearsal/skiff/1.2.3, run one');
  expect(said).toMatch(new RegExp(`params\\.hash +${first} +→ +${second}`));
  const sail = `specs/sail-${second.slice(0, 7)}`;
  expect(await releases.ask(sail, 'two', [ended(sail, 'buildSpec', 'done', { ms: 5 })])).toContain(
    'ran: no earlier run',
  );
});

test('given a lock that was made again, then the fields of its spec that changed are told, and nothing else of it', async () => {
  const releases = new Releases();
  const store = await releases.store();
  const before = { package_hash: 'old', parameters: { pic: true, shared: true } };
  const after = { package_hash: 'new', parameters: { pic: true, shared: false } };
  for (const [day, [hash, dependency, fields]] of [
    ['a'.repeat(32), 'keel', before] as const,
    ['b'.repeat(32), 'kiel', after] as const,
  ].entries()) {
    // The name of the dependency stays: its hash is another one.
    const node = aNode('mast', [dependency], fields) as { readonly dependencies: readonly object[] };
    const dependencies = node.dependencies.map((one) => ({ ...one, name: 'keel' }));
    const lock = aLock({ [dependency]: [], skiff: [] }, { [hash]: { ...node, dependencies } });
    const facts = canonical({ imports: { 'environments/stack': { text: { 'env/spack.lock': lock } } } });
    const { digest } = await store.put(asBytes(facts));
    const params = { name: 'mast', hash, environment: 'environments/stack', file: 'env/spack.yaml' };
    const id = `specs/mast-${hash.slice(0, 7)}`;
    const steps = [aStep('buildSpec', params as never, { id, stage: 'specs' })];
    await releases.run(`run${day}`, day + 1, aPlan({ steps, imports: { facts: digest, of: [] } }), [id]);
  }
  const said = await releases.ask('specs/mast-bbbbbbb', 'run1', [
    ended('specs/mast-bbbbbbb', 'buildSpec', 'done', { ms: 5 }),
  ]);
  expect(said.split('\n').slice(2, -1)).toEqual([
    expect.stringMatching(/^ +params\.hash +a{32} +→ +b{32}$/),
    expect.stringMatching(/^ +lock\.parameters\.shared +true +→ +false$/),
    expect.stringMatching(/^ +lock\.package_hash +old +→ +new$/),
    expect.stringMatching(/^ +lock\.dependencies\.keel\.hash +keel\w+ +→ +kiel\w+$/),
  ]);
});
