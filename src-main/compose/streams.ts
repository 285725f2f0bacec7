import type { Config } from '../config/schema/config.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { readMachineLoad } from '../host/machine-load.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import { ServerStats } from '../streams/server-stats.ts';
import { Streams } from '../streams/streams.ts';
import { NO_TRANSMISSIONS, type TransmissionLog } from '../streams/transmission-log.ts';
import type { ServerOptions } from './server-options.ts';

/** Dependencies of `openStreams`. */
export interface StreamsDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log'>;
  readonly config: Config;
  readonly events: EventEmitter;
  /** Called at the start of a stream's run. */
  readonly runStarted: (entry: StreamEntry) => void;
  /** Log of the transmissions of pushes; undefined without a database. */
  readonly transmissions: TransmissionLog | undefined;
  /** Whether a stream has recordings. */
  readonly hasArchive: (name: string) => Promise<boolean>;
  /** Keyed digest of a text. */
  readonly digestOf: (text: Uint8Array) => Uint8Array;
  /** Called only for the first stream. */
  readonly engine: () => Engine;
}

/** All streams, and their statistics. */
export interface StreamsUnit {
  readonly streams: Streams;
  readonly stats: ServerStats;
  /** Opens the configured streams and starts to measure. Resolves when every stream exists. */
  start(config: Config): Promise<void>;
  /** Resolves when all old runs have ended. */
  apply(config: Config): Promise<void>;
  close(): void;
}

/** Creates the unit of all streams. `start` opens them. */
export function openStreams({
  options: { clock, log },
  config,
  events,
  runStarted,
  transmissions = NO_TRANSMISSIONS,
  hasArchive,
  digestOf,
  engine,
}: StreamsDeps): StreamsUnit {
  const streams = new Streams(config, {
    clock,
    log,
    events,
    started: runStarted,
    transmissions,
    hasArchive,
    digestOf,
    engine,
  });
  const stats = new ServerStats({ clock, streams, machine: readMachineLoad });
  return {
    streams,
    stats,
    async start(current) {
      streams.start(current);
      await streams.applied;
      stats.start();
    },
    apply: (changed) => streams.apply(changed),
    close() {
      stats.close();
      streams.close();
    },
  };
}
