import { demux } from '../../../src/adapters/docker/demux.js';

const frame = (stream: 1 | 2, text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

async function taken(bytes: Buffer, pieceBytes: number): Promise<{ stdout: string; stderr: string }> {
  const seen = { stdout: '', stderr: '' };
  async function* pieces(): AsyncIterable<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  await demux(pieces(), (text, stream) => void (seen[stream] += text));
  return seen;
}

test.each([1, 3, 7, 8, 9, 1000])(
  'given output in pieces of %d bytes, then stdout and stderr are separated',
  async (pieceBytes) => {
    const output = Buffer.concat([frame(1, 'out: grün\n'), frame(2, 'err\n'), frame(1, ''), frame(1, 'end\n')]);
    expect(await taken(output, pieceBytes)).toEqual({ stdout: 'out: grün\nend\n', stderr: 'err\n' });
  },
);

test('given a character cut between two frames, then it is whole', async () => {
  const letter = Buffer.from('ü');
  const output = Buffer.concat([frame(1, letter.subarray(0, 1)), frame(2, 'x'), frame(1, letter.subarray(1))]);
  expect(await taken(output, 5)).toEqual({ stdout: 'ü', stderr: 'x' });
});
