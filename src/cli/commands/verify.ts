import { judgeTrust, OUTCOMES, type Outcome, type Trust } from '../../engine/ledger/trust.js';
import type { Evidence } from '../../model/evidence.js';
import type { CommandSpec, ExitCode } from '../command.js';
import type { EvidencePort, Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { trustLines } from '../screens/verify.js';

/** Files that list or sign other files. They are compared with each other. */
const EVIDENCE = /^(manifest\.json|SHA256SUMS|.*\.(intoto\.jsonl|provenance\.json|approvals\.jsonl))$/;
const CODES: Readonly<Record<Outcome, ExitCode>> = { good: 0, altered: 1, unknown: 3, foreign: 4 };

export const verify: CommandSpec<Ports> = {
  name: 'verify',
  summary:
    'say what can be trusted of downloaded files, and why; asks no network. Ends with 0 good, 1 altered, 3 unknown, 4 foreign signature',
  arguments: [
    { name: '<what...>', help: 'files, or a folder with a release: its files, manifest.json, statement, SBOM' },
  ],
  options: [
    {
      flags: '--key <files>',
      help: 'files with keys that you trust, by comma: a public key in PEM for the statement, allowed signers for approvals',
    },
    { flags: '--from <folder>', help: 'where manifest.json and the statement are (default: beside each file)' },
    { flags: '--json', help: 'the same as JSON' },
  ],
  async run({ rest = [], options }, io, ports) {
    const port = await ports.evidence();
    const keys = String(options['key'] ?? '')
      .split(',')
      .filter((file) => file !== '');
    const from = options['from'] === undefined ? null : String(options['from']);
    const groups = await groupsOf(rest, from, port);
    const seen: { evidence: Evidence; trust: Trust }[] = [];
    for (const [folder, paths] of groups) {
      const evidence = await port.read(folder, keys);
      const files = [];
      for (const path of paths) files.push({ path, name: nameOf(path), digest: await port.digest(path) });
      seen.push({ evidence, trust: judgeTrust(evidence, files) });
    }
    const lines = seen.flatMap(({ evidence, trust }) => trustLines(evidence, trust, colours(io.terminal.colour)));
    io.out(options['json'] === true ? JSON.stringify(seen.map(({ trust }) => trust)) : lines.join('\n'));
    const worst = Math.max(...seen.map(({ trust }) => OUTCOMES.indexOf(trust.outcome)));
    return CODES[OUTCOMES[worst]!];
  },
};

/** Files by the folder of their evidence. */
async function groupsOf(
  paths: readonly string[],
  from: string | null,
  port: EvidencePort,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  const add = (folder: string, files: readonly string[]): void =>
    void groups.set(folder, [...(groups.get(folder) ?? []), ...files]);
  for (const path of paths) {
    const names = await port.names(path);
    if (names === null) add(from ?? folderOf(path), EVIDENCE.test(nameOf(path)) ? [] : [path]);
    else
      add(
        from ?? path,
        names.filter((name) => !EVIDENCE.test(name)).map((name) => `${path.replace(/\/+$/, '')}/${name}`),
      );
  }
  return groups;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.');
