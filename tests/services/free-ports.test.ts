import { createServer } from 'node:net';
import { once } from 'node:events';
import { choosePorts } from '../../src/services/free-ports.js';
import { aHome } from './a-home.js';

describe('choosePorts', () => {
  it('when it runs again, then it chooses the same ports', async () => {
    const { home, remove } = await aHome();
    const first = await choosePorts(home);
    expect(await choosePorts(home)).toEqual(first);
    remove();
  });

  it('given a port that is taken, then it chooses and remembers another', async () => {
    const { home, remove } = await aHome();
    const first = await choosePorts(home);
    const owner = createServer().listen(first.maven, '127.0.0.1');
    await once(owner, 'listening');
    const second = await choosePorts(home);
    expect(second.maven).not.toBe(first.maven);
    expect({ ...second, maven: first.maven }).toEqual(first);
    owner.close();
    await once(owner, 'close');
    expect(await choosePorts(home)).toEqual(second);
    remove();
  });
});
