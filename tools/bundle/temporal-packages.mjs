import { createRequire } from 'node:module';

const { isTemporal } = createRequire(import.meta.url)('../../bin/bundle.js');

/** Leaves Temporal's packages out of one bundle, and gathers them for the other. */
export function temporalPackages() {
  const names = new Set();
  return {
    plugin: {
      name: 'temporal-packages',
      setup: (build) =>
        build.onResolve({ filter: /^[@p]/ }, ({ path }) => {
          if (!isTemporal(path)) return null;
          names.add(path);
          return { path, external: true };
        }),
    },
    /** A module with a function for each package: a package runs when its function is called. */
    entry: () =>
      [...names]
        .sort()
        .map((name) => `exports['${name}'] = () => require('${name}');\n`)
        .join(''),
  };
}
