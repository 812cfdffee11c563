import { FEATURE_SCHEMAS } from '../../features/schemas.js';
import type { KindName, KindWith } from '../kinds.js';
import type { Step } from '../plan.js';
import { fieldOf, together } from '../together.js';
import type { OwnKind } from './params.js';

type Needed<Free extends KindName> = { readonly [K in Exclude<OwnKind, Free>]: unknown };

/** Answers of features for their own kinds. A kind whose row asks for an answer does not compile without it. */
export const SERVICES = together('services of the kind', fieldOf(FEATURE_SCHEMAS, 'services')) satisfies Needed<
  KindWith<'services', readonly never[]>
>;
export const PUBLISHES = together(
  'published names of the kind',
  fieldOf(FEATURE_SCHEMAS, 'publishes'),
) satisfies Needed<KindWith<'ships', null | 'source'>>;
export const RECEIVERS = together('receivers of the kind', fieldOf(FEATURE_SCHEMAS, 'receivers')) satisfies Needed<
  KindWith<'reaches', false>
>;

/** Whether a feature answers for the kind of a step. */
export const isAnswered = <T extends object>(table: T, step: Step): step is Extract<Step, { readonly kind: keyof T }> =>
  Object.hasOwn(table, step.kind);

/** Returns what the feature of the step's kind says. FeatureSchemas checks the types. */
export const answer = <R>(table: object, { kind, params }: Step, ...more: readonly unknown[]): R =>
  (table as Readonly<Record<string, (...all: readonly unknown[]) => R>>)[kind]!(params, ...more);
