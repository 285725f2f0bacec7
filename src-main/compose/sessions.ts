import type { Advertisements } from '../ads/advertisements.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Backends, type BackendTrouble, type SubscriberAuthority } from '../sessions/backends.ts';
import { sessionEvents } from '../control/session-events.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Config } from '../config/schema/config.ts';
import { CountrySource } from '../host/country-file.ts';
import { PublishAuthorizer } from '../control/publishing/publish-authorizer.ts';
import { messageOf } from '../lib/error-message.ts';
import type { BanStore } from '../sessions/bans.ts';
import { RtmpViewers } from '../delivery/rtmp-viewers.ts';
import type { Streams } from '../streams/streams.ts';
import { PlaybackSessions, type PlayedFiles } from '../control/sessions/playback-sessions.ts';

/** Dependencies of `openSessions`. */
export interface SessionUnitDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventEmitter;
  readonly streams: Streams;
  readonly files: PlayedFiles;
  readonly ads: Pick<Advertisements, 'prepare' | 'closed'>;
  readonly config: () => Config;
  readonly subscribers: SubscriberAuthority;
  /** Store of bans; undefined if it could not be opened. */
  readonly bans: BanStore | undefined;
  /** Base folder of relative paths of backends. */
  readonly folder: string;
  /** Age at which the viewing token of a desk is replaced, in milliseconds; default: one hour. */
  readonly deskTokenMs?: number | undefined;
}

/** Viewer sessions, the authorization of publishers, and the backends that both use. */
export interface SessionUnit {
  readonly playbackSessions: PlaybackSessions;
  readonly authorizer: PublishAuthorizer;
  /** Viewers over RTMP. */
  readonly rtmpViewers: RtmpViewers;
  /** Backends that did not answer the last request. */
  readonly troubles: readonly BackendTrouble[];
  /** Starts the timers that end sessions of viewers who left and repeat requests to backends. */
  start(): void;
  apply(config: Config): void;
  close(): void;
}

/** Opens viewer sessions and the authorization of viewers and publishers. */
export function openSessions(deps: SessionUnitDeps): SessionUnit {
  const { clock, log, events, streams, files, ads, config, folder, subscribers, bans } = deps;
  const authority = new Backends(subscribers, undefined, () => clock.now());
  const emitted = sessionEvents(events, clock);
  const countries = new CountrySource(folder, log);
  const countryOf = (ip: string): string | null => countries.countryOf(ip);
  void countries.apply(config().geoip);
  const playbackSessions = new PlaybackSessions(config(), {
    clock,
    log,
    authority: {
      async authorize(policy, question) {
        const verdict = await authority.authorize(policy, question);
        await ads.prepare(verdict, question.name);
        return verdict;
      },
    },
    events: {
      ...emitted,
      closed: (session, reason) => {
        ads.closed(session);
        emitted.closed(session, reason);
      },
    },
    streams,
    files,
    countryOf,
    deskTokenMs: deps.deskTokenMs,
    banStore: bans && {
      store: bans,
      nowMs: clock.now(),
      failed: (error) => {
        log.error('a ban cannot be stored; it ends when the server stops', { error: messageOf(error) });
      },
    },
    folder,
  });
  const authorizer = new PublishAuthorizer({
    clock,
    log,
    authority,
    streams,
    publishing: streams.publishing,
    policies: playbackSessions.policies,
    config,
    countryOf,
    tokenName: () => playbackSessions.tokenName,
  });
  const rtmpViewers = new RtmpViewers({
    sessions: playbackSessions.sessions,
    tokenName: () => playbackSessions.tokenName,
    outputOf: (name) => streams.outputs.get(name),
    demand: (name) => streams.demand(name),
    isStarting: (name) => streams.get(name)?.isStarting(clock.now()) === true,
    now: () => clock.now(),
  });
  return {
    playbackSessions,
    authorizer,
    rtmpViewers,
    get troubles() {
      return authority.troubles;
    },
    start() {
      playbackSessions.sessions.start();
      authorizer.start();
    },
    apply(changed) {
      playbackSessions.apply(changed);
      void countries.apply(changed.geoip);
    },
    close() {
      authorizer.close();
      playbackSessions.sessions.close();
      authority.close();
    },
  };
}
