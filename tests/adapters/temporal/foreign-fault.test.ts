import { foreignFault } from '../../../src/adapters/temporal/foreign-fault.js';

test.each(['127.77.7.7', '127.77.7.7:1', '[::1]:1'])(
  'given the address "%s", where nothing listens, then no server is foreign',
  async (address) => {
    const tls = { serverRootCACertificate: Buffer.from('') };
    expect(await foreignFault({ address, tls })).toBeNull();
  },
);
