import type { Params } from '../../../src/model/params.js';

/** A jar that Maven builds on the host. */
export const A_JAR: Params['buildJar'] = {
  project: 'skiff',
  version: '1.2.3',
  builder: 'maven',
  modules: [],
  properties: {},
  with: [],
  outputs: [],
  natives: null,
  accept: {},
  run: null,
  env: {},
  folder: '',
  where: { in: 'host' },
};
