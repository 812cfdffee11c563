import { statfs } from 'node:fs/promises';
import { arch, platform, report } from 'node:process';
import type { Work } from '../work.js';

/** How tools say which they are, where it is not `--version`. */
const ASKING: Readonly<Record<string, string>> = {
  go: 'go version',
  nginx: 'nginx -v',
  openssl: 'openssl version',
  unzip: 'unzip -v',
  apt: 'apt --version',
  zig: 'python -m ziglang version',
};

/** How it is seen that a tool is there, where it is no program of its own name. */
const THERE: Readonly<Record<string, string>> = { zig: "python -c 'import ziglang'" };

/** Version of a tool by running it, `unknown` where it runs and does not say, null where it is absent. */
export async function measureTool(work: Work, tool: string): Promise<string | null> {
  const ask = ASKING[tool] ?? '"$TOOL" --version';
  const there = THERE[tool] ?? 'command -v "$TOOL"';
  const script = `${there} >/dev/null 2>&1 || { echo absent; exit 0; }; { ${ask}; } 2>&1 </dev/null | head -n 5 || true`;
  const said = (await work.capture(script, { env: work.env({ TOOL: tool }) })).trim();
  if (said === 'absent') return null;
  return /\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.]+)?/.exec(said)?.[0] ?? 'unknown';
}

export async function freeMiB(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / (1 << 20));
}

/** The C library that everything built here links with, and that decides a wheel's tag; null where it does not say. */
export function libcName(): string | null {
  Object.assign(report, { excludeNetwork: true }); // names of peers would be looked up one by one
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined ? null : `glibc ${header.glibcVersionRuntime}`;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** This machine in the words of queues: `linux-x86_64`, `macos-arm64`. */
export function machineName(system: string = platform, cpu: string = arch): string {
  const machine = system === 'darwin' ? cpu : (MACHINES[cpu] ?? cpu);
  return `${SYSTEMS[system] ?? system}-${machine}`;
}
