import { request } from 'node:http';
import type { Socket } from 'node:net';

const ANSWER_MS = 30_000;
const LONGEST_ANSWER_BYTES = 32 * 1024 * 1024;

export interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
}

/** Ray's HTTP interface. Throws if it does not answer. */
export interface Dashboard {
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<DashboardAnswer>;
}

/** @param dial opens a connection to it */
export const createDashboard = (dial: () => Promise<Socket>): Dashboard => ({
  ask: async (method, path, body) => {
    const socket = await dial();
    try {
      return await answered(socket, method, path, body);
    } finally {
      socket.destroy();
    }
  },
});

function answered(socket: Socket, method: string, path: string, body?: object): Promise<DashboardAnswer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      host: 'ray',
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const signal = AbortSignal.timeout(ANSWER_MS);
    const asked = request({ method, path, headers, signal, createConnection: () => socket }, (answer) => {
      const pieces: Buffer[] = [];
      let size = 0;
      answer.on('data', (piece: Buffer) => {
        size += piece.length;
        pieces.push(piece);
        if (size > LONGEST_ANSWER_BYTES) reject(new Error(`${path} answered more than ${LONGEST_ANSWER_BYTES} bytes`));
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(text);
  });
}
