import type { ExitCode, Input, Io } from '../../../cli/command.js';
import { notingUncommitted } from '../../../cli/note-uncommitted.js';
import type { Ports } from '../../../cli/ports.js';
import { noticeLines } from '../../../cli/screens/notices.js';
import { readReleaseText, parsedRelease } from '../../../adapters/facts/release-text.js';
import { fail, type Problem } from '../../../model/failure.js';
import { noFacts } from '../../../importers/asks.js';
import { readFiles } from '../pure/environment-files.js';
import { gitlabExport } from '../pure/gitlab/export.js';
import type { Generation } from '../pure/gitlab/pipeline.js';
import type { EnvironmentImport } from '../schemas/environment.js';
import { environmentLost, exportDialect, exportUnknown, exportWhich, noEnvironments } from './errors.js';

/** A pipeline that no pipeline makes: the parent hands its id on as a variable. */
const GENERATION: Omit<Generation, 'stack'> = {
  ...{ artifactsRoot: 'jobs_scratch_dir', job: 'generate', pipeline: '$PARENT_PIPELINE_ID' },
};

/** `slipway export gitlab [FILE]`: plans the release file, and prints an environment of the commit as a pipeline. Runs no Spack. */
export async function exportGitlab({ args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  if (args['format'] !== 'gitlab') throw fail(exportUnknown(args['format'] ?? ''));
  if (options['like'] !== '1.2') throw fail(exportDialect(String(options['like'])));
  const file = args['file'] ?? 'slipway.yaml';
  const { content } = parsedRelease(await readReleaseText(file, ports.cwd));
  const [name, entry] = chosen(content.environments, options['environment'], file);
  const { source } = await notingUncommitted(file, ports, io, () =>
    ports.planWithRows(file, String(options['profile']), {}),
  );
  const facts = { ...noFacts(), ...source?.imports[`environments/${name}`] };
  const read = readFiles(entry, facts);
  if ('asks' in read) throw fail(environmentLost(name, entry.file));
  const { environment, lock } = read;
  const found: Problem[] = [...read.findings];
  const generation = { ...GENERATION, stack: name, ...(entry.spack !== undefined && { spack: entry.spack }) };
  const made = environment && lock && gitlabExport(entry, environment, lock, generation, (one) => found.push(one));
  if (made === null || found.length > 0) throw fail(found);
  noticeLines(made.findings).forEach((line) => io.err(line));
  io.out(made.text.trimEnd());
  return 0;
}

type Environments = Readonly<Record<string, EnvironmentImport>>;

function chosen(environments: Environments, said: unknown, file: string): readonly [string, EnvironmentImport] {
  const all = Object.entries(environments);
  if (all.length === 0) throw fail(noEnvironments(file));
  const wanted = typeof said === 'string' ? said : undefined;
  const [found, ...others] = all.filter(([name]) => wanted === undefined || name === wanted);
  if (found === undefined || others.length > 0) throw fail(exportWhich(Object.keys(environments), wanted));
  return found;
}
