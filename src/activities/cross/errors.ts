import type { Problem } from '../../model/failure.js';

export const zigAbsent = (): Problem => ({
  code: 'ZIG_ABSENT',
  class: 'config',
  message: 'this worker has no zig: the Python of its tools has no package ziglang',
  next: 'Type `npm start`: its set-up installs it into .tools.',
});

export const zigTargetUnknown = (platform: string, os: string): Problem => ({
  code: 'CROSS_CANNOT',
  class: 'config',
  message: `cross: zig does not build for ${platform} (${os})`,
  next: 'zig builds for Linux and macOS here; exclude that platform, or let an entry of its own build it on such a machine.',
});
