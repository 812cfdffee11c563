import { problem } from '../../model/problem.js';

export const zigAbsent = problem.config(() => [
  'ZIG_ABSENT',
  'this worker has no zig: the Python of its tools has no package ziglang',
  'Type `npm start`: its set-up installs it into .tools.',
]);
export const zigTargetUnknown = problem.config((platform: string, os: string) => [
  'CROSS_CANNOT',
  `cross: zig does not build for ${platform} (${os})`,
  'zig builds for Linux and macOS here; exclude that platform, or let an entry of its own build it on such a machine.',
]);
