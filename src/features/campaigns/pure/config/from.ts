import type { SourceLocation } from '../../../../model/failure.js';
import type { Json } from '../../../../model/json.js';
import { isPath, readPath, startsWith } from './path.js';

/** Source of a value: a line of a file, a preset or an option. */
export interface From {
  /** Line of the assignment. An option is its own place: `--set service.port=1`. */
  readonly place: SourceLocation;
  readonly preset?: string;
  /** Presets from the asked one to the one that extends `preset`. Absent: `preset` was asked for. */
  readonly through?: readonly string[];
  /** Name of what asked for the preset: `--preset`, `config.apply`. */
  readonly by?: string;
}

/** One assignment of a value. */
export interface Assignment {
  /** `tests.args["x.y"][0]` */
  readonly path: string;
  readonly value: Json;
  readonly from: From;
}

/** `config.yaml:12:5`. */
export const placeText = ({ file, line, column }: SourceLocation): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

/** `preset light (config.yaml:12:5), which nightly extends, by --preset`. */
export function fromText({ place, preset, through, by }: From): string {
  if (preset === undefined) return placeText(place);
  const chain = (through ?? []).toReversed().map((name) => `, which ${name} extends`);
  return `preset ${preset} (${placeText(place)})${chain.join('')}${by === undefined ? '' : `, by ${by}`}`;
}

/** Assignments of the value at a path, and of values around and inside it, first to last. */
export function sourcesIn(all: readonly Assignment[], text: string): readonly Assignment[] {
  const path = readPath(text);
  if (!isPath(path)) return [];
  return all.filter((one) => {
    const other = readPath(one.path);
    return isPath(other) && (startsWith(path, other) || startsWith(other, path));
  });
}
