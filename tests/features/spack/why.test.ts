import { aStep as ended } from '../../cli/a-run.js';
import { Releases } from '../../cli/a-why.js';
import { aPlan, aStep } from '../../support/run-body.js';
import { hashOf } from './an-environment.js';

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
