import { configFile } from '../home.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Environment of a program that asks the server of a home, whatever server the user's own variables name. */
export const serverEnv = (home: string, env: Env = process.env): NodeJS.ProcessEnv => ({
  ...env,
  ...withoutServer(env),
  SLIPWAY_HOME: home,
  TEMPORAL_CONFIG_FILE: configFile(home),
});

/** Removes the user's variables of Temporal from an environment that is laid over another. */
export const withoutServer = (env: Env): Record<string, undefined> =>
  Object.fromEntries(Object.keys(env).flatMap((name) => (name.startsWith('TEMPORAL_') ? [[name, undefined]] : [])));
