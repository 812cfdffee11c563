import type { TargetExtra } from '../model/target.js';
import { layoutFolder } from '../model/layout.js';
import type { ProfileTarget } from '../model/schema/profile.js';
import type { Publish } from '../model/schema/sections/publish.js';
import { ownExtra, TARGET_SCHEMAS } from '../model/schema/target-schemas.js';
import type { Context } from './context.js';
import { withVars } from './entry.js';
import { problems } from './errors.js';
import { planSource } from './stages/source.js';
import { TARGETS } from '../model/target-kinds.js';
import type { ShellLine } from './texts.js';

/** Returns the settings of this kind only. Null if it has none. */
export function extraOf(
  name: string,
  entry: Publish,
  row: Partial<ProfileTarget>,
  context: Context,
): TargetExtra | null {
  complainOfStrangers(name, entry, context);
  const text = (key: 'tag' | 'message', usual: string): string =>
    context.text(entry[key] ?? usual, {}, ['publish', name, key]);
  switch (entry.kind) {
    case 'python':
      return row.reads === undefined ? null : { kind: 'python', reads: row.reads };
    case 'oci':
      return row.realm === undefined ? null : { kind: 'oci', realm: row.realm };
    case 'maven':
      return null;
    case 'command': {
      for (const key of ['observe', 'upload'] as const) if (entry[key] === undefined) missing(name, key, context);
      const undo = entry.undo === undefined ? null : context.text(entry.undo, {}, ['publish', name, 'undo']);
      const [observe, upload] = (['observe', 'upload'] as const).map((key) =>
        context.line(entry[key] ?? '', {}, ['publish', name, key], ['files']),
      ) as [ShellLine, ShellLine];
      return {
        kind: 'command',
        observe: observe.line,
        upload: upload.line,
        ...withVars({ ...observe.vars, ...upload.vars }),
        undo,
        secrets: entry.secrets,
      };
    }
    case 's3':
      return { kind: 's3', path: pathOf(name, entry, context), endpoint: row.endpoint ?? null };
    case 'simple':
      if (row.address?.startsWith('service:') === false && row.reads === undefined) noIndexReads(name, context);
      return { kind: 'simple', reads: row.reads ?? null, endpoint: row.endpoint ?? null };
    case 'central':
      if (row.address !== undefined && row.reads === undefined) noReads(name, context);
      return { kind: 'central', mode: entry.mode ?? 'user-managed', reads: row.reads ?? '' };
    case 'git-tag': {
      const message = text('message', `${context.name} {version}`);
      if (context.commit === null) noCommit(name, context);
      return { kind: 'git-tag', tag: text('tag', 'v{version}'), message, commit: context.commit ?? '' };
    }
    default:
      return ownExtra(entry.kind, name, entry as never, row as never, context);
  }
}

/** Path of a file, by default `{branch}/{commit}/{file}`. Placeholders for the worker stay. */
function pathOf(name: string, { path }: Publish, context: Context): string {
  if (path === undefined) return `${layoutFolder({ source: planSource(context) })}/{file}`;
  return context.text(path.replaceAll('{file}', '{{file}}'), {}, ['publish', name, 'path']);
}

function complainOfStrangers(name: string, entry: Publish, context: Context): void {
  complainOfNetwork(name, entry, context);
  const strange = Object.entries(TARGET_SCHEMAS).flatMap(([kind, { entry: keys }]) =>
    Object.keys(keys).flatMap((key) => (key in TARGET_SCHEMAS[entry.kind].entry ? [] : [{ key, kind }])),
  );
  for (const { key, kind } of strange.filter((one) => says(entry, one.key)))
    context.needsThat(
      ['publish', name, key],
      `"${key}" is for targets of kind ${kind}, this one is ${entry.kind}`,
      'Take it away, or change `kind`.',
    );
}

function says(entry: Readonly<Record<string, unknown>>, key: string): boolean {
  const value = entry[key];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Complains about `network` without effect: it applies to a `verify` line in a sandbox or container. */
function complainOfNetwork(name: string, { kind, network, verify }: Publish, context: Context): void {
  const free = !TARGETS[kind].installs;
  if (!network || !(free || verify === undefined)) return;
  const why = free
    ? `the line of "verify" of a ${kind} target runs where its uploads run, with the network`
    : '"network" is for the line of "verify", and there is none';
  context.needsThat(['publish', name, 'network'], why, 'Take `network` away.');
}

const missing = (name: string, key: string, context: Context): void =>
  context.complain(problems.missingKey(context.at(['publish', name]), key));

const noReads = (name: string, context: Context): void =>
  context.needsThat(
    ['publish', name],
    `profile "${context.facts.profile.name}" does not say in which repository files of Central are read`,
    'Add `reads: https://…/maven2/` beside its address.',
  );

const noIndexReads = (name: string, context: Context): void =>
  context.needsThat(
    ['publish', name],
    `profile "${context.facts.profile.name}" does not say at which address pip reads this index`,
    'Add `reads: https://…/` beside its address: the server of that folder or bucket.',
  );

const noCommit = (name: string, context: Context): void =>
  context.needsThat(
    ['publish', name, 'kind'],
    'an sdist has no commit that a tag could stand on',
    'Release from `source: { git: … }`, or take this target out.',
    'value',
  );
