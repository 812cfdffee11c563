// Mutants of valid inputs, the same for the same seed.

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff, 512, 65536];
const LARGEST_BYTES = 1 << 20;

/** A mutant of one of the seeds. @param tokens pieces of the format's own grammar, as buffers */
exports.mutant = (random, seeds, tokens) => {
  const below = (count) => Math.floor(random() * count);
  const one = (list) => list[below(list.length)];
  let bytes = Buffer.from(one(seeds));
  const cut = () => below(bytes.length + 1);
  const range = () => [cut(), cut()].sort((a, b) => a - b);
  const put = (at, piece, over = 0) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + over)]);
  const repeated = (piece, most) => {
    const times = Math.min(1 + below(most), Math.floor(LARGEST_BYTES / Math.max(1, piece.length)));
    return Buffer.concat(Array(times).fill(piece));
  };
  const number = () => {
    const width = one([1, 2, 4]);
    const piece = Buffer.alloc(4);
    if (random() < 0.7) piece.writeUInt32LE(one(INTERESTING));
    else piece.writeUInt32LE(below(2 ** 32));
    return put(Math.min(cut(), Math.max(0, bytes.length - width)), piece.subarray(0, width), width);
  };
  const flip = () => {
    if (bytes.length > 0) bytes[below(bytes.length)] ^= 1 << below(8);
    return bytes;
  };
  const OPERATIONS = [
    flip,
    number,
    () => put(cut(), one(tokens)),
    () => put(cut(), one(tokens), below(8)),
    () => put(cut(), repeated(one(tokens), 40)),
    () => (([from, to]) => put(from, Buffer.alloc(0), to - from))(range()),
    () => (([from, to]) => put(to, bytes.subarray(from, Math.min(to, from + 4096))))(range()),
    () => (([from, to]) => put(cut(), one(seeds).subarray(from, Math.min(to, from + 4096))))(range()),
    () => put(cut(), Buffer.from(Array.from({ length: 1 + below(4) }, () => below(256)))),
    () => bytes.subarray(0, cut()),
  ];
  for (let left = 1 + below(6); left > 0; left -= 1) bytes = one(OPERATIONS)();
  if (random() < 0.001) bytes = put(cut(), repeated(one(tokens), LARGEST_BYTES));
  return bytes.subarray(0, LARGEST_BYTES);
};
