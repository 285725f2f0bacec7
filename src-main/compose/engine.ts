import { availableParallelism } from 'node:os';
import { Engine } from '../engine/engine.ts';
import type { CodecUnit } from './codec.ts';
import type { ServerOptions } from './server-options.ts';
import type { SessionUnit } from './sessions.ts';
import type { StreamsUnit } from './streams.ts';

/** Dependencies of `openEngine`. */
export interface EngineDeps {
  readonly options: ServerOptions;
  readonly codec: Pick<CodecUnit, 'testPictures' | 'urlReaders'>;
  readonly streams: Pick<StreamsUnit, 'streams' | 'stats'>;
  /** Called only for the first publisher or player. */
  readonly sessions: () => Pick<SessionUnit, 'authorizer' | 'rtmpViewers'>;
  /** Ports of this server, which no input may connect to. */
  readonly ownPorts: SharedArrayBuffer;
}

/** Creates the media threads and connects them to the streams. They run after `start`. */
export function openEngine({ options, codec, streams: { streams, stats }, sessions, ownPorts }: EngineDeps): Engine {
  const { clock, log, dataFolder, mediaThreads, mediaThreadEntry } = options;
  return new Engine(
    {
      threads: mediaThreads ?? Math.max(1, availableParallelism() - 1),
      threadEntry: mediaThreadEntry,
      fileRoot: dataFolder,
      ownPorts,
      clock,
      log,
    },
    {
      window: (id) => streams.windowOf(id),
      status: (thread, statuses) => {
        if (thread) stats.thread(thread);
        streams.reports.status(statuses);
      },
      decidePublish: (request, place) => sessions().authorizer.decide(request, place),
      decidePlay: (request, player) => sessions().rtmpViewers.open(request, player),
      publishEnded: (id, publication) => {
        streams.publishing.ended(id, publication);
      },
      notice: (id, notice) => {
        streams.reports.notice(id, notice);
      },
      pushNotice: (id, notice) => {
        streams.reports.pushNotice(id, notice);
      },
      inputAtFault: (input, detail) => {
        streams.reports.inputAtFault(input, detail);
      },
      streamLost: (id, end, detail) => {
        streams.reports.lost(id, end, detail);
      },
      testPicture: (spec) => codec.testPictures.load(spec),
      readExternal: ({ stream, ...spec }) =>
        codec.urlReaders.open(spec, (refusal) => {
          // A probe has no stream.
          if (stream) streams.publishing.refused({ path: stream }, stream, refusal);
        }),
    },
  );
}
