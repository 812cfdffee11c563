import type { KindName } from './kinds.js';
import type * as build from './schema/build-params.js';
import type * as shared from './schema/command.js';
import type { Infer } from './schema/infer.js';
import type * as schema from './schema/params.js';

export type Env = Readonly<Record<string, string>>;

export type Where = Infer<typeof shared.Where>;
export type SourceRef = Infer<typeof schema.Source>;
export type NativeRef = Infer<typeof build.NativeRef>;
export type LockOptions = Infer<typeof schema.LockOptions>;
export type LockTool = LockOptions['tool'];

type Schemas = typeof schema.PARAMS;
/** Parameters of each kind. `never` for a kind without a schema, which PARAMS refuses: one error is told, and none that follows. */
export type Params = { readonly [K in KindName]: K extends keyof Schemas ? Infer<Schemas[K]> : never };
export type PointerWhen = Params['movePointer']['when'];
/** Fields of all kinds that run a command. */
export type CommandParams = Omit<Params['runCommand'], 'outputs' | 'expect'>;
