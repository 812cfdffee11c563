import type { Test } from '../../model/schema/sections/images.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { envOf, frameItem, framedStep, lineOf, treeNeeds, unique, wheelPythonOf } from '../entry.js';
import type { Path } from '../errors.js';
import { ownWheel } from '../own-wheels.js';
import type { Stage, PlannedStep, PlanEntry, Variant } from '../stage.js';
import { clusterTest } from './cluster-tests.js';
import { abilitiesFor, ociOf } from '../oci.js';
import { baseNeeds, whereOf } from '../where.js';

export const tests: Stage = {
  id: 'tests',
  title: 'testing',
  items: (context) =>
    Object.entries(context.release.tests).flatMap(([name, test]) => testEntry(name, test, context) ?? []),
};

/** Returns the entry of a test. Null for an import. */
function testEntry(name: string, test: Context['release']['tests'][string], context: Context): PlanEntry | null {
  if ('import' in test) return null;
  return 'cluster' in test
    ? clusterTest(name, test, context)
    : item(name, test, test.in === 'venv' ? context.python() : context);
}

/** Section that a test needs, by its runtime. */
const SUBJECT = { venv: 'wheels/', image: 'images/', jvm: 'jars/', host: '' } as const;

function item(name: string, test: Test, context: Context): PlanEntry {
  const id = `tests/${name}`;
  const path = ['tests', name];
  check(test, path, context);
  const framed = frameItem(id, test, path, context);
  const tree = test.tree === undefined ? [] : treeNeeds(framed.needs, path, context);
  return {
    ...framed,
    needs: unique([...framed.needs, ...tree, ...baseNeeds(test, id, path, context)]),
    own: ofNoPython(test, context) ? { python: context.pythons } : {},
    make: (variant) => make(test, variant, path, context),
  };
}

/** Whether a test needs only wheels for all Pythons. It runs on each Python then. */
function ofNoPython(test: Test, context: Context): boolean {
  const wheels = test.needs.flatMap((need) => /^wheels\/([^[]+)/.exec(need)?.[1] ?? []);
  return (
    test.in === 'venv' &&
    wheels.length > 0 &&
    wheels.every((name) => ownWheel(context.release, name)?.python === 'none')
  );
}

function check(test: Test, path: Path, context: Context): void {
  const subject = SUBJECT[test.in];
  if (!test.needs.some((need) => need.startsWith(subject) || need.startsWith('sdists/'))) {
    context.needsThat(path, `a test in: ${test.in} has nothing of ${subject} to test`, `Add needs: [${subject}NAME].`);
  }
  if (test.expect === undefined && test.result === undefined) {
    context.needsThat(
      path,
      'the test says neither expect nor result; exit code 0 alone is not a pass',
      'Add `expect:` a line of its output, or `result:` a file that it writes.',
    );
  }
  if (test.in === 'image' && (test.packages.length > 0 || test.base !== undefined || test.tree !== undefined)) {
    context.needsThat(
      path,
      'a test in: image runs in the built image, which has packages and a working folder of its own',
      'Take packages, base and tree away, or test in: venv.',
    );
  }
}

const TOOLS = { venv: ['uv'], image: ['docker'], jvm: ['java', 'mvn'], host: [] } as const;

/** OCI platform of the test's image. Null for an image for any platform. */
function imagePlatform({ needs }: Variant, context: Context): string | null {
  const image = needs.find(({ item }) => item.id.startsWith('images/'));
  return ociOf(image?.axes['platform'], context);
}

function make(test: Test, variant: Variant, path: Path, context: Context): PlannedStep {
  const { axes } = variant;
  const where = whereOf(test, variant);
  const on = context.queueOf(axes, test.on, path);
  return plannedStep('runTest', {
    ...framedStep(variant, test),
    on,
    params: {
      in: test.in,
      ...lineOf(test.run, axes, [...path, 'run'], context),
      env: envOf(test.env, axes, path, context),
      python: test.in === 'venv' ? wheelPythonOf(variant) : null,
      expect: test.expect === undefined ? null : context.text(test.expect, axes, [...path, 'expect']),
      result: test.result === undefined ? null : context.text(test.result, axes, [...path, 'result']),
      artifacts: test.artifacts.map((text, index) => context.text(text, axes, [...path, 'artifacts', index])),
      ...(test.tree && { tree: test.tree }),
      ...(where.in === 'container' && { where }),
      ...(test.network && { network: true }),
    },
    files: readFiles(test.files, [test.run, ...Object.values(test.env)], path, context),
    made: true,
    can: test.in === 'image' ? abilitiesFor(imagePlatform(variant, context), on, context) : [],
    tools: [...TOOLS[test.in], ...(where.in === 'container' ? ['docker'] : []), ...test.tools],
  });
}
