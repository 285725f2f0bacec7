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
  /** Limit of file operations, which may hang. */
  readonly turns: FileTurns;
  readonly fakes: FakeInputs;
  readonly copies: CopySourcePort;
  readonly playlists: PlaylistStates;
  /** Budget of partly received data, shared by all inputs of the thread. */
  readonly budget: ByteBudget;
  /** Common ticks for reads of connections. */
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
   * Checks the address without opening anything; an `InputEnd` for an unusable one. Without it only opening shows that.
   */
  parse?(spec: InputSpec): object;
}

/** Options of an input: the query of its address, overridden by those written after it. */
export function optionsOf(spec: InputSpec): ReadonlyMap<string, string> {
  const question = spec.url.indexOf('?');
  const options = new Map(question < 0 ? [] : new URLSearchParams(spec.url.slice(question + 1)));
  for (const [name, value] of Object.entries(spec.options)) options.set(name, value);
  return options;
}

/** Address with some of the options moved into its query. */
export function withOptions(spec: InputSpec, names: readonly string[]): string {
  const query = names.flatMap((name) => {
    const value = spec.options[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  if (query.length === 0) return spec.url;
  return `${spec.url}${spec.url.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Result of an address parser; throws if it is a refusal. */
export function checked<Parsed extends object>(parsed: Parsed | InputEnd): Parsed {
  if (isInputEnd(parsed)) throw thrown(parsed);
  return parsed;
}

/** Reports whether an address parser returned a refusal. */
export function isInputEnd(value: object): value is InputEnd {
  return 'code' in value && 'detail' in value;
}

/** Converts the end of an input to an error. */
export function thrown(end: InputEnd): Error & InputEnd {
  return Object.assign(new Error(end.detail), end);
}
