// A process of `npm run hosts`: answers each name with one address, at a port of that address. Tells the port once it listens.
//   dns.mjs ADDRESS PORT
import { createSocket } from 'node:dgram';

const [address, port] = process.argv.slice(2);
const dns = createSocket('udp4').on('message', (query, from) => dns.send(answerTo(query), from.port, from.address));
dns.bind(Number(port), address, () => console.log(dns.address().port));

/** An answer with the address for a question of type A, and with none for any other (RFC 1035, 4.1). */
function answerTo(query) {
  let at = 12;
  while (query[at] > 0) at += query[at] + 1;
  const isA = query.readUInt16BE(at + 1) === 1;
  const head = Buffer.from([query[0], query[1], 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(isA ? record : [])]);
}
