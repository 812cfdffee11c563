import type { CommandSpec } from './command.js';
import type { Ports } from './ports.js';
import type { FeatureScreens } from './screens/feature-screens.js';

/** Exports of a feature's `cli.ts`. `slipway --help` loads it: a command imports the rest when it runs. */
export interface FeatureCli extends FeatureScreens {
  readonly commands?: readonly FeatureCommand[];
}

export interface FeatureCommand {
  /** Command that it follows in `slipway --help`, under the same title. */
  readonly after: string;
  readonly spec: CommandSpec<Ports>;
}

export type FeatureClis = Readonly<Record<string, FeatureCli>>;
