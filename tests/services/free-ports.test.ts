import { createServer } from 'node:net';
import { once } from 'node:events';
import { choosePorts, LEAVE_MS } from '../../src/services/free-ports.js';
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

  it('given three ports that are taken, then it waits for all of them together', async () => {
    const { home, remove } = await aHome();
    const first = await choosePorts(home);
    const owners = await Promise.all(
      [first.maven, first.index, first.wheels].map(async (port) => {
        const owner = createServer().listen(port, '127.0.0.1');
        await once(owner, 'listening');
        return owner;
      }),
    );
    const begun = performance.now();
    await choosePorts(home);
    expect(performance.now() - begun).toBeLessThan(2 * LEAVE_MS);
    for (const owner of owners) owner.close();
    remove();
  });
});
