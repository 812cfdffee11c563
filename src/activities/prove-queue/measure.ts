import { statfs } from 'node:fs/promises';
import { arch, platform, report } from 'node:process';

/** Commands that print the version of tools without `--version`. */
const ASKING: Readonly<Record<string, string>> = {
  go: 'go version',
  nginx: 'nginx -v',
  openssl: 'openssl version',
  unzip: 'unzip -v',
  apt: 'apt --version',
  zig: 'python -m ziglang version',
  wheel: 'wheel version',
};

/** Checks for tools that are not a program of the same name. */
const THERE: Readonly<Record<string, string>> = { zig: "python -c 'import ziglang'" };

const cases = (table: Readonly<Record<string, string>>): string =>
  Object.entries(table)
    .map(([tool, line]) => `${tool}) ${line} ;;`)
    .join(' ');

/** Asks all of `$TOOLS` in parallel. Prints a line for each that exists: name, tab, start of its version text. */
const ASK_ALL = `set -f
for TOOL in $TOOLS; do (
  case $TOOL in ${cases(THERE)} *) command -v "$TOOL" ;; esac >/dev/null 2>&1 || exit 0
  said=$({ case $TOOL in ${cases(ASKING)} *) "$TOOL" --version ;; esac; } 2>&1 </dev/null | head -n 5 | tr '\\n\\t' '  ' | cut -c 1-400) || true
  printf '%s\\t%s\\n' "$TOOL" "$said"
) & done
wait`;

export type Shell = (line: string, env: Readonly<Record<string, string>>) => Promise<string>;

/** Measures versions of tools by running them: `unknown` if a tool prints none. Absent tools are left out. */
export async function measureTools(shell: Shell, tools: readonly string[]): Promise<Record<string, string>> {
  const lines = tools.length === 0 ? [] : (await shell(ASK_ALL, { TOOLS: tools.join(' ') })).split('\n');
  const said = new Map(lines.filter((line) => line !== '').map((line) => line.split('\t') as [string, string]));
  const found = tools.filter((tool) => said.has(tool));
  return Object.fromEntries(
    found.map((tool) => [tool, /(?<!\d)\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.]+)?/.exec(said.get(tool)!)?.[0] ?? 'unknown']),
  );
}

export async function freeMiB(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / (1 << 20));
}

let libc: string | null | undefined;

/** The C library that local builds link with, which decides a wheel's tag. Null if unknown. Cached: it never changes in
 * a process, and a report takes 10 ms of CPU. */
export const libcName = (): string | null => (libc === undefined ? (libc = reportedLibc()) : libc);

function reportedLibc(): string | null {
  Object.assign(report, { excludeNetwork: true }); // avoids a DNS lookup for each peer
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined ? null : `glibc ${header.glibcVersionRuntime}`;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** This machine as queues name it: `linux-x86_64`, `macos-arm64`. */
export function machineName(system: string = platform, cpu: string = arch): string {
  const machine = system === 'darwin' ? cpu : (MACHINES[cpu] ?? cpu);
  return `${SYSTEMS[system] ?? system}-${machine}`;
}
