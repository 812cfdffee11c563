import type { ToolFile } from '../../activities/tools/ports.js';
import { problem } from '../../model/problem.js';

export const toolFileAbsent = problem.config(({ shown, path }: ToolFile, status: number) => [
  'TOOL_FILE_ABSENT',
  `${shown} answers HTTP ${status}`,
  'Correct `at` or the version; `curl -IL` shows what the server says. A tool is fetched without a credential.',
  { path },
]);
export const toolRedirected = problem.denied(({ shown, path }: ToolFile, to: string) => [
  'TOOL_REDIRECTED',
  `${shown} redirects to ${to}`,
  'Write the address of the file itself into `at`; `curl -IL` shows where it leads.',
  { path },
]);
export const toolServerInside = problem.denied(({ shown, path }: ToolFile, why: string) => [
  'TOOL_SERVER_INSIDE',
  `${shown} was not asked: ${why}`,
  'If that server is meant, write its number in place of its name into `at`, and name that address in the policy. The certificate of an https server must have that number.',
  { path },
]);
export const toolTooLarge = problem.config(({ shown, path }: ToolFile, mostBytes: number) => [
  'TOOL_TOO_LARGE',
  `${shown} has more than ${mostBytes} bytes`,
  'Check that the address is the right one: a tool is one program.',
  { path },
]);
export const toolServerSilent = problem.infra(({ shown, path }: ToolFile, why: string) => [
  'TOOL_SERVER_SILENT',
  `${shown} gives no answer: ${why}`,
  'The step retries. If it stays so, check `at` and the network of the workers of control.',
  { path },
]);
