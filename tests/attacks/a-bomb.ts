import type { ServerResponse } from 'node:http';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';

const MIB = 2 ** 20;
const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex');
/** A mebibyte of zeros as one deflate block that is not the last: a kilobyte. */
const BLOCK = deflateRawSync(Buffer.alloc(MIB), { finishFlush: constants.Z_SYNC_FLUSH });

/** A gzip stream that decodes to `mebibytes` zeros; a thousandth of that in bytes. */
export const gzipBomb = (mebibytes: number): Buffer =>
  Buffer.concat([GZIP_HEAD, ...Array<Buffer>(mebibytes).fill(BLOCK), Buffer.from([3, 0])]);

export const answerBomb = (answer: ServerResponse, type: string, mebibytes = 1_400): void => {
  answer.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
  answer.end(gzipBomb(mebibytes));
};

/** The same coded once more: some 5 kB. */
export const answerStackedBomb = (answer: ServerResponse, type: string, mebibytes = 1_400): void => {
  answer.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip, gzip' });
  answer.end(gzipSync(gzipBomb(mebibytes)));
};

/** Runs `act` and returns by how many mebibytes the process grew at most meanwhile. */
export async function growthOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, process.memoryUsage.rss(), before) / MIB - before / MIB;
}
