import { StringDecoder } from 'node:string_decoder';

/** Splits a container's output: frames of one byte stream number, three unused, four length, then bytes. The
 * container waits for `take`, so memory stays flat. Source: Docker Engine API, "Attach to a container", stream
 * format. */
export async function demux(
  stream: AsyncIterable<Buffer>,
  take: (text: string, stream: 'stdout' | 'stderr') => void | Promise<void>,
): Promise<void> {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let header = Buffer.alloc(0);
  let left = 0;
  let name: 'stdout' | 'stderr' = 'stdout';
  for await (let chunk of stream) {
    while (chunk.length > 0) {
      if (left === 0) {
        const missing = 8 - header.length;
        header = Buffer.concat([header, chunk.subarray(0, missing)]);
        chunk = chunk.subarray(missing);
        if (header.length < 8) break;
        name = header[0] === 2 ? 'stderr' : 'stdout';
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      }
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      chunk = chunk.subarray(piece.length);
      const text = decoders[name].write(piece);
      if (text) await take(text, name);
    }
  }
}
