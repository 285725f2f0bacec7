import type { IncomingMessage, ServerResponse } from 'node:http';
import { playerStream } from '../api/player/player-streams.ts';
import type { ArchiveService } from '../control/archive/archive-service.ts';
import type { Pictures } from '../control/archive/pictures.ts';
import { Thumbnails, type MakeSprite } from '../control/archive/thumbnails.ts';
import { recordingStatus } from '../control/archive/recording-status.ts';
import { embedPage } from '../delivery/embed-page.ts';
import { HttpPublishEndpoint } from '../delivery/http-publish-endpoint.ts';
import { PlayerFeedback } from '../delivery/player-feedback.ts';
import { MediaHandler } from '../delivery/answers/media-handler.ts';
import { nodeExchange } from '../delivery/node-exchange.ts';
import type { Recorded } from '../delivery/recorded.ts';
import { TsOutputs } from '../delivery/answers/ts-output.ts';
import type { Engine } from '../engine/engine.ts';
import type { PublishAnswer } from '../engine/messages.ts';
import { earlyKeyFrame, keyFrameAt, newestKeyFrame } from '../packaging/mp4/key-frame.ts';
import type { Operators } from '../operators/operators.ts';
import { windowInfo } from '../streams/media-info.ts';
import type { Streams } from '../streams/streams.ts';
import { pictureOrBusy } from '../control/archive/pictures.ts';
import { recordedPicture } from '../control/archive/recorded-picture.ts';
import { withBreaks, type AdsUnit } from './ads.ts';
import type { Listeners } from './listeners.ts';
import type { ServerOptions } from './server-options.ts';
import type { SessionUnit } from './sessions.ts';
import type { VodUnit } from './vod.ts';

/** Dependencies of `openMedia`. */
export interface MediaDeps {
  readonly options: Pick<ServerOptions, 'clock'>;
  readonly streams: Streams;
  readonly sessions: SessionUnit;
  readonly operators: Operators;
  readonly pictures: Pictures;
  readonly makeSprite: MakeSprite;
  /** Plays recordings; undefined if none can be played. */
  readonly recorded: Recorded | undefined;
  /** Lists recordings; undefined if they cannot be listed. */
  readonly archive: Pick<ArchiveService, 'ranges' | 'extent' | 'locks'> | undefined;
  readonly vod: VodUnit;
  readonly ads: Pick<AdsUnit, 'advertisements'>;
  readonly engine: Engine;
  readonly listeners: Pick<Listeners, 'baseUrl' | 'rtmpUrl'>;
}

/** Media over HTTP, for viewers and from encoders. */
export interface MediaUnit {
  readonly handler: MediaHandler;
  /** Answers a media address or a publisher. Returns false for any other request. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Opens the handler of media addresses and publishers. */
export function openMedia(deps: MediaDeps): MediaUnit {
  const { options, sessions, operators, engine, streams, vod } = deps;
  const handler = mediaHandler(deps);
  const publish = new HttpPublishEndpoint<PublishAnswer>({
    clientAddress: (peer, header) => operators.clientAddress(peer, header),
    isExternal: (facts) => operators.isFromOtherSite(facts),
    decide: (request, accept) =>
      sessions.authorizer.decide(request, (stream) => {
        accept({ accepted: true, stream });
      }),
    open: (request, answer, port) => engine.publishByHttp(request, answer, port),
  });
  const { playbackSessions } = sessions;
  const feedback = new PlayerFeedback({
    sessions: playbackSessions.sessions,
    tokenName: () => playbackSessions.tokenName,
    clientAddress: (peer, header) => operators.clientAddress(peer, header),
    trackIds(name) {
      const live = streams.outputs.get(name)?.window;
      const tracks = live ? (live.listedTracks ?? live.tracks) : vod.get(name)?.file.window.tracks;
      return tracks?.map(({ track }) => track.id);
    },
    now: () => options.clock.now(),
  });
  return {
    handler,
    handle(request, response) {
      if (publish.take(request, response) || feedback.take(request, response)) return true;
      // Most requests are for the APIs, so the address is checked before anything else.
      const address = handler.address((request.url ?? '/').split('?', 1)[0] ?? '/');
      if (!address) return false;
      const exchange = nodeExchange(request, response, (peer, header) => operators.clientAddress(peer, header));
      handler.handle(exchange, address);
      return true;
    },
  };
}

function mediaHandler({
  options,
  streams,
  sessions,
  operators,
  pictures,
  makeSprite,
  recorded,
  archive,
  vod,
  ads: { advertisements },
  listeners,
}: MediaDeps): MediaHandler {
  const { playbackSessions } = sessions;
  const now = (): number => options.clock.now();
  const thumbnails =
    recorded &&
    archive &&
    new Thumbnails({
      clock: options.clock,
      recorded,
      makeSprite,
      ranges: async (...args) => archive.ranges(...args),
      keyFrame: (name, filmSeconds) => {
        if (streams.get(name)) {
          const live = streams.outputs.get(name);
          return filmSeconds === undefined ? live && newestKeyFrame(live.window) : 'no-film';
        }
        const window = vod.get(name)?.file.window;
        if (!window) return undefined;
        return filmSeconds === undefined ? earlyKeyFrame(window) : keyFrameAt(window, filmSeconds * 1000);
      },
    });
  return new MediaHandler({
    resolve: (name, { kind }, session) => advertisements.outputFor(session, streams.outputs.get(name), kind),
    ...(recorded ? { recorded: withBreaks(recorded, advertisements) } : {}),
    files: vod.source,
    sessions: playbackSessions.sessions,
    tokenName: () => playbackSessions.tokenName,
    isOwnHost: (host) => operators.isOwnHost(host),
    tsOutputs: new TsOutputs(),
    ...(thumbnails ? { thumbnails } : {}),
    now,
    port: {
      isKnown: (name) => streams.get(name) !== undefined || vod.get(name) !== undefined,
      demand: (name) => streams.demand(name),
      isStarting: (name) => streams.get(name)?.isStarting(now()) === true,
      hasEnded: (name) => streams.get(name)?.hasEnded(now()) === true,
      describe: (name, kind) => {
        const entry = streams.get(name);
        if (!entry) return vod.describe(name, kind);
        const { baseUrl, rtmpUrl } = listeners;
        const stream = playerStream(entry, { nowMs: now(), baseUrl, rtmpUrl });
        return JSON.stringify(kind === 'info' ? stream : (stream.stats.media_info ?? { streams: [], tracks: [] }));
      },
      async mediaInfoAt(name, atMs) {
        if (!streams.get(name)) return vod.describe(name, 'media-info');
        const found = await recorded?.(name, { kind: 'segment', startMs: atMs }, undefined);
        const info = found && !('code' in found) ? windowInfo(found.window, atMs) : null;
        return info === null ? undefined : JSON.stringify(info);
      },
      async recordingStatus(name, query) {
        return archive && JSON.stringify(await recordingStatus(archive, name, query, now()));
      },
      async picture(name) {
        const live = streams.outputs.get(name);
        const picture = await pictureOrBusy(pictures.get(live ?? vod.get(name)?.output));
        if (picture === 'busy' || picture === undefined) return picture;
        // The timeline of a file starts at 0. A stream may be ahead of the clock.
        return { jpeg: picture.jpeg, ...(live ? { takenAtMs: Math.min(picture.atMs, now()) } : {}) };
      },
      pictureAt: async (stream, atMs, isExact) =>
        pictureOrBusy(recordedPicture(recorded, pictures, { stream, atMs, isExact })),
      embedPage: (name, isArchive) => embedPage(name, playbackSessions.domainsOf(name), isArchive),
    },
  });
}
