import { spawn } from 'node:child_process';
import { fail } from '../../model/failure.js';
import { sshKeygenMissing } from './errors.js';

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const LIMIT_MS = 120_000;

export function openssh(program: 'ssh-keygen' | 'ssh-add', argv: readonly string[], stdin = ''): Promise<Answer> {
  return new Promise((answer, reject) => {
    const child = spawn(program, argv, { stdio: ['pipe', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => undefined); // it may end without reading
    child.on('error', (error) => reject(fail(sshKeygenMissing(program), error)));
    child.on('close', (code) => answer({ code: code ?? 1, out, err }));
    child.stdin.end(stdin);
  });
}
