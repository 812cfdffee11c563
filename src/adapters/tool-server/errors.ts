import type { ToolFile } from '../../activities/tools/ports.js';
import { problem } from '../../model/problem.js';

export const toolFileAbsent = problem.config(({ url, place, what }: ToolFile, status: number) => [
  'TOOL_FILE_ABSENT',
  `${url} answers HTTP ${status} (${what})`,
  'Correct `at` or the version; `curl -IL` shows what the server says. Tools are fetched from addresses that need no credential.',
  { path: place },
]);
export const toolRedirected = problem.denied(({ url, place, what }: ToolFile, to: string, why: string) => [
  'TOOL_REDIRECTED',
  `${url} redirects to ${to}: ${why} (${what})`,
  'Write the address of the file itself into `at`; `curl -IL` shows where it leads.',
  { path: place },
]);
export const toolTooLarge = problem.config(({ url, place, what }: ToolFile, mostBytes: number) => [
  'TOOL_TOO_LARGE',
  `${url} has more than ${mostBytes} bytes (${what})`,
  'Check that the address is the right one: a tool is one program.',
  { path: place },
]);
export const toolServerSilent = problem.infra(({ url, place, what }: ToolFile, why: string) => [
  'TOOL_SERVER_SILENT',
  `${url} gives no answer: ${why} (${what})`,
  'The step retries. If it stays so, check `at` and the network of the workers of control.',
  { path: place },
]);
