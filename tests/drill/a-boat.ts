import type { Plan } from '../../src/model/plan.js';
import { HEAD, planOf } from '../plan/a-plan.js';

/** A release to each kind of registry that a drill kills. @param more a wheel that nobody publishes; a pointer */
export const aBoat = (more: { readonly other?: true; readonly point?: true }): Plan =>
  planOf(`${HEAD}deps:
  build: { requires: [setuptools] }
wheels:
  skiff: { needs: [deps/build] }
${more.other ? '  other: { needs: [deps/build] }\n' : ''}jars:
  skiff: { builder: maven }
bases:
  jre: { debian: bookworm, packages: [python3] }
images:
  skiff: { base: jre, needs: ['wheels/skiff[python=cp311]'], files: [Dockerfile] }
publish:
  index: { kind: python, files: [wheels/skiff] }
  maven: { kind: maven, files: [jars/skiff] }
  hub: { kind: oci, files: [images/skiff], repository: boats/skiff }
${more.point ? 'point:\n  - { target: hub, name: latest, to: images/skiff }\n' : ''}`);
