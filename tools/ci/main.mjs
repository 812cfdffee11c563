// For .ci/run: chooses the systems whose suites run. Their names go to standard output, the reasons and what is left out to standard error.
import { fileURLToPath } from 'node:url';
import { choose } from './choose.mjs';
import { suitesOfSystem } from './systems.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function main(args) {
  if (args.some((arg) => arg !== '--all')) {
    console.error(`usage: .ci/run [--all]; got ${args.join(' ')}`);
    return 2;
  }
  const choice = choose(root, { all: args.includes('--all') });
  for (const { system, runs, because } of choice) {
    console.error(`${runs ? 'runs    ' : 'left out'} ${system.padEnd(12)} ${because}`);
    if (!runs) for (const { file } of suitesOfSystem(root, system)) console.error(`       left out: ${file}`);
  }
  console.log(choice.flatMap(({ system, runs }) => (runs ? system : [])).join(' '));
  return 0;
}

process.exitCode = main(process.argv.slice(2));
