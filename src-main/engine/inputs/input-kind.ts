import type { ByteBudget } from '../../ingest/byte-budget.ts';
import type { CopySourcePort } from '../../ingest/copy/copy-source-port.ts';
import type { ExternalInputOptions } from '../../ingest/external/external-input.ts';
import type { FakeInputs } from '../../ingest/fake/fake-inputs.ts';
import type { Input, InputEnd, InputSink, InputSpec } from '../../ingest/input.ts';
import type { ReadTicks } from '../../ingest/reads/read-ticks.ts';
import type { AllowedPaths } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FileTurns } from '../../lib/file-turns.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { PlaylistStates } from './playlist-states.ts';

export interface InputMakerOptions {
  readonly clock: Clock;
  /** Base folder of `file://` inputs with relative paths. */
  readonly fileRoot: string;
  /** Allowed folders of files. */
  readonly allowed: AllowedPaths;
  /** Limits concurrent file operations, because they may hang. */
  readonly turns: FileTurns;
  readonly fakes: FakeInputs;
  readonly copies: CopySourcePort;
  readonly playlists: PlaylistStates;
  /** Memory budget for incomplete data, shared by all inputs of the thread. */
  readonly budget: ByteBudget;
  /** Combined reads of connections. */
  readonly ticks: ReadTicks;
  readonly hosts: OutgoingHosts;
  /** Codec processes, and the feed server for their packets. */
  readonly external: Pick<ExternalInputOptions, 'port' | 'feeds'>;
}

/** One scheme of input addresses. */
export interface InputKind {
  /** Creates an input. Throws an error that is an `InputEnd` for an unusable address. */
  open(spec: InputSpec, sink: InputSink, options: InputMakerOptions, streamName: string): Input;
  /**
   * Parses the address without opening it; returns an `InputEnd` if it is unusable. Kinds without this function find that
   * out when they open the address.
   */
  parse?(spec: InputSpec): object;
  /** UDP port of this machine on which only one input at a time can receive; undefined if there is none. */
  ownPort?(spec: InputSpec): number | undefined;
}

/** Options of an input: the query of its address, overridden by the options after the address. */
export function optionsOf(spec: InputSpec): ReadonlyMap<string, string> {
  const question = spec.url.indexOf('?');
  const options = new Map(question < 0 ? [] : new URLSearchParams(spec.url.slice(question + 1)));
  for (const [name, value] of Object.entries(spec.options)) options.set(name, value);
  return options;
}

/** Address of an input with the named options added to its query. */
export function withOptions(spec: InputSpec, names: readonly string[]): string {
  const query = names.flatMap((name) => {
    const value = spec.options[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  if (query.length === 0) return spec.url;
  return `${spec.url}${spec.url.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Returns the result of an address parser; throws if it is an `InputEnd`. */
export function checked<Parsed extends object>(parsed: Parsed | InputEnd): Parsed {
  if (isInputEnd(parsed)) throw thrown(parsed);
  return parsed;
}

/** Reports whether the result of an address parser is an `InputEnd`. */
export function isInputEnd(value: object): value is InputEnd {
  return 'code' in value && 'detail' in value;
}

/** Converts the end of an input to an error. */
export function thrown(end: InputEnd): Error & InputEnd {
  return Object.assign(new Error(end.detail), end);
}
