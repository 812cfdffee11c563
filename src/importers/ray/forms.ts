import { placed, type SourceLocation } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { CommitAsk, ImportFacts } from '../asks.js';
import { type Byod, BYOD_PYTHON } from './byod.js';
import { type Compute, computeIn, nodesOf, rendered } from './compute.js';
import { type Draft, placeOf } from './definitions.js';
import { formsOf } from './drafts.js';
import { computeVariables, environmentOf, type Variables } from './environment.js';
import type { Complain } from '../file-problem.js';
import { openWork, type Work } from '../work.js';
import { problems } from './errors.js';
import { insideSource } from '../inside-source.js';
import { byodFile, environmentFile, workingFolder } from './paths.js';
import { attribute, DEFAULT_ENVIRONMENT, DEFAULT_PYTHON, type Form, numberIn, textIn } from './test.js';
import { type Dict, jsonOf, without } from '../pyyaml/tree.js';

const NO_COMPUTE: Compute = { instances: [] };
/** Each form of a test reads its compute file with variables of its own. */
const MOST_CHARACTERS = 8_000_000;

/** One form of a draft, with the place of each of its keys. */
interface Keyed {
  readonly keys: JsonObject;
  place(path: string): SourceLocation;
}

/** Turns drafts into forms, with what the files beside them say. Each file is read once. */
export class FormReader {
  readonly #asks = new Map<string, CommitAsk>();
  readonly #told = new Set<string>();
  readonly #environments = new Map<string, Variables>();
  readonly #computes = new Map<string, Compute>();
  readonly #facts: ImportFacts;
  readonly #complain: Complain;
  readonly #read: Work;

  constructor(facts: ImportFacts, complain: Complain) {
    this.#facts = facts;
    this.#complain = (problem) => {
      const key = `${problem.code} ${problem.place && placed(problem.place)} ${problem.message}`;
      if (!this.#told.has(key)) complain(problem);
      this.#told.add(key);
    };
    this.#read = openWork(MOST_CHARACTERS, 'characters of compute files', this.#complain);
  }

  /** Files that must be read first. */
  get asks(): readonly CommitAsk[] {
    return [...this.#asks.values()];
  }

  /** The full form, and the smoke form if the test has one. A form outside the source is left out. */
  of(draft: Draft): readonly Form[] {
    return formsOf(draft.dict).flatMap((dict) => this.#form(draft, dict) ?? []);
  }

  #form(draft: Draft, dict: Dict): Form | null {
    const keys = jsonOf(without(dict, 'smoke_test')) as JsonObject;
    const keyed = { keys, place: (path: string) => placeOf({ ...draft, dict }, ...path.split('/')) };
    const named = textIn(keys, 'working_dir') ?? '';
    const folder = workingFolder(named);
    if (folder === null) {
      this.#complain(problems.outside(keyed.place('working_dir'), 'working_dir', named));
      return null;
    }
    const environment = textIn(keys, 'env') ?? DEFAULT_ENVIRONMENT;
    const variables = this.#environment(environment);
    return {
      keys,
      folder,
      environment,
      isKnown: variables !== null,
      project: textIn(keys, 'cluster/project_id') ?? variables?.['RELEASE_DEFAULT_PROJECT'] ?? null,
      compute: this.#compute(keyed, folder, variables ?? {}),
      byod: this.#byod(keyed),
      places: Object.fromEntries(
        PLACED.flatMap((path) => (attribute(keys, path) === undefined ? [] : [[path, keyed.place(path)]])),
      ),
    };
  }

  /** Variables of an environment; null if the commit has no file of it. */
  #environment(name: string): Variables | null {
    const path = environmentFile(name);
    const text = path === null ? null : this.#text(path);
    if (text === undefined) return {};
    if (path === null || text === null) return null;
    const known = this.#environments.get(path) ?? environmentOf(text, path, this.#complain);
    this.#environments.set(path, known);
    return known;
  }

  #compute({ keys, place }: Keyed, folder: string, environment: Variables): Compute {
    const named = textIn(keys, 'cluster/cluster_compute') ?? '';
    const path = insideSource(`${folder}/${named}`);
    const text = path === null ? null : this.#text(path);
    const at = (): SourceLocation => place('cluster/cluster_compute');
    if (path === null) this.#complain(problems.outside(at(), 'cluster_compute', named));
    else if (text === null) this.#complain(problems.partAbsent(at(), 'cluster_compute', path));
    if (typeof text !== 'string' || path === null || !this.#read(text.length, at())) return NO_COMPUTE;
    const variables = computeVariables(environment, textIn(keys, 'cluster/cloud_id'), textIn(keys, 'cluster/cloud'));
    const filled = rendered(text, path, variables, this.#complain);
    if (filled === null) return NO_COMPUTE;
    const id = `${path}\n${filled}`;
    const known = this.#computes.get(id) ?? computeIn(filled, path, this.#complain) ?? NO_COMPUTE;
    this.#computes.set(id, known);
    const wanted = numberIn(keys, 'run/wait_for_nodes/num_nodes') ?? 0;
    if (known.instances.length > 0 && wanted > nodesOf(known))
      this.#complain(problems.tooFewNodes(place('run/wait_for_nodes'), wanted, path, nodesOf(known)));
    return known;
  }

  #byod({ keys, place }: Keyed): Byod | null {
    const type = textIn(keys, 'cluster/byod/type') ?? 'cpu';
    const python = textIn(keys, 'python') ?? DEFAULT_PYTHON;
    const wanted = BYOD_PYTHON[type];
    if (wanted !== undefined && wanted !== python)
      this.#complain(problems.byodPython(place('cluster/byod/type'), type, wanted, python));
    const contents = ['post_build_script', 'python_depset'].flatMap((key) => {
      const named = textIn(keys, `cluster/byod/${key}`);
      return named === undefined ? [] : [[key, this.#content(key, named, place(`cluster/byod/${key}`))] as const];
    });
    const rayVersion = textIn(keys, 'cluster/ray_version') ?? null;
    if (contents.length === 0 && type === 'cpu' && rayVersion === null) return null;
    return { type, contents: Object.fromEntries(contents), rayVersion };
  }

  #content(key: string, named: string, place: SourceLocation): string {
    const path = byodFile(named);
    if (path === null) {
      this.#complain(problems.outside(place, key, named));
      return '';
    }
    const id = this.#facts.id[path];
    if (id === undefined) this.#asks.set(`id ${path}`, { ask: 'id', path });
    if (id === null) this.#complain(problems.partAbsent(place, key, path));
    return id ?? '';
  }

  /** The text of a file; null where the commit lacks it, undefined until it is answered. */
  #text(path: string): string | null | undefined {
    const text = this.#facts.text[path];
    if (text === undefined) this.#asks.set(`text ${path}`, { ask: 'text', path });
    return text;
  }
}

/** Keys that become keys of an entry. */
const PLACED = [
  ...['run/script', 'run/timeout', 'run/type', 'run/wait_for_nodes', 'run/prepare', 'run/artifact_path'],
  ...['run/num_retries', 'run/long_running', 'working_dir', 'env', 'alert', 'python', 'repeated_run', 'team'],
  ...['cluster/cluster_compute', 'cluster/byod', 'cluster/ray_version', 'frequency'],
];
