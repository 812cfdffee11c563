// The second half of `npm run build`: the command line in two files, which start in less time than dist.
// `node tools/bundle/main.mjs [ROOT]`
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const here = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
await bundle(process.argv[2] ?? here);
