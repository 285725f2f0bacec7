import type { ByteBudget } from '../../ingest/byte-budget.ts';
import type { CopySourcePort } from '../../ingest/copy/copy-source-port.ts';
import type { ExternalInputOptions } from '../../ingest/external/external-input.ts';
import type { FakeInputs } from '../../ingest/fake/fake-inputs.ts';
import type { Input, InputEnd, InputSink } from '../../ingest/input.ts';
import type { ReadTicks } from '../../ingest/reads/read-ticks.ts';
import type { AllowedPaths } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FileTurns } from '../../lib/file-turns.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { InputSpec } from '../messages.ts';
import type { PlaylistStates } from './playlist-states.ts';

/** What inputs are made with. */
export interface InputMakerOptions {
  readonly clock: Clock;
  /** Folder of `file://` inputs with relative paths. */
  readonly fileRoot: string;
  /** Where files may lie. */
  readonly allowed: AllowedPaths;
  /** Turns at files, which may hang. */
  readonly turns: FileTurns;
  readonly fakes: FakeInputs;
  readonly copies: CopySourcePort;
  readonly playlists: PlaylistStates;
  /** What all inputs of the thread share for what is half received. */
  readonly budget: ByteBudget;
  /** Reads of connections that are made together. */
  readonly ticks: ReadTicks;
  readonly hosts: OutgoingHosts;
  /** Codec processes, and where their packets come in. */
  readonly external: Pick<ExternalInputOptions, 'port' | 'feeds'>;
}

/** One scheme of input addresses. */
export interface InputKind {
  /** Makes an input. Throws an error that is an `InputEnd` for an address that cannot work. */
  open(spec: InputSpec, sink: InputSink, options: InputMakerOptions, streamName: string): Input;
  /** Looks at the address without opening anything: an `InputEnd` for one that cannot work. Without it only opening shows that. */
  parse?(spec: InputSpec): object;
}

/** Options of an input: the query of its address, and over them what is written behind it. */
export function optionsOf(spec: InputSpec): ReadonlyMap<string, string> {
  const question = spec.url.indexOf('?');
  const options = new Map(question < 0 ? [] : new URLSearchParams(spec.url.slice(question + 1)));
  for (const [name, value] of Object.entries(spec.options)) options.set(name, value);
  return options;
}

/** The address with some of the options behind it moved into its query. */
export function withOptions(spec: InputSpec, names: readonly string[]): string {
  const query = names.flatMap((name) => {
    const value = spec.options[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  if (query.length === 0) return spec.url;
  return `${spec.url}${spec.url.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** What a parser of addresses gave, unless it is a refusal, which is thrown. */
export function checked<Parsed extends object>(parsed: Parsed | InputEnd): Parsed {
  if (isInputEnd(parsed)) throw thrown(parsed);
  return parsed;
}

/** Whether a parser of addresses gave a refusal. */
export function isInputEnd(value: object): value is InputEnd {
  return 'code' in value && 'detail' in value;
}

/** The end of an input as an error, for makers of inputs. */
export function thrown(end: InputEnd): Error & InputEnd {
  return Object.assign(new Error(end.detail), end);
}
