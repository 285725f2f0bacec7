import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { isRestricted, type AccessPolicy } from '../sessions/access-policy.ts';
import type { Ban, Bans, BanRecords, WantedBan } from '../sessions/bans.ts';
import type { Authority } from '../sessions/backends.ts';
import { Sessions } from '../sessions/sessions.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import { withToken } from '../sessions/token.ts';
import { AccessPolicies, type PlaySettings } from '../configuration/session-policies.ts';
import type { Streams } from '../streams/streams.ts';

/** The playback of one viewer, as the APIs and the desk see it. */
export interface SessionView {
  /** Unique. */
  readonly id: string;
  /** Identifies the same viewer when the viewer comes back; not unique. */
  readonly key: string;
  /** The stream or file, with its prefix. */
  readonly name: string;
  /** `hls`, `dash`, `mpegts` … */
  readonly proto: string;
  readonly ip: string;
  readonly status: 'establishing' | 'running' | 'stalling' | 'finished';
  /** Where its player says that it is, in milliseconds: of a stream since 1970, of a file since its begin. Null where it does not say. */
  readonly playedMs: number | null;
  /** Epoch milliseconds. */
  readonly openedMs: number;
  /** Epoch milliseconds of the first byte of media; 0 before. */
  readonly startedMs: number;
  /** Epoch milliseconds of the last request or byte. */
  readonly lastMs: number;
  /** What was delivered. */
  readonly bytes: number;
  /** Two letters; null where it is not known. */
  readonly country: string | null;
  readonly token: string | null;
  readonly userAgent: string | null;
  readonly referer: string | null;
  readonly queryString: string;
  /** The user that the authorization backend named. */
  readonly userId: string | null;
  readonly maxSessions: number | null;
  /** What of the archive it plays, in seconds since 1970; an infinite duration goes on. Null for live. */
  readonly archive: { readonly fromSeconds: number; readonly durationSeconds: number } | null;
}

/** The sessions of the server. */
export interface SessionSource {
  /** All that are open, of one stream or file where a name is given. Read it in steps: there may be many. */
  list(name?: string): Iterable<SessionView>;
  get(id: string): SessionView | undefined;
  /** Ends a session. @returns whether there was one */
  close(id: string): boolean;
  /** Has the backend asked again about every session of a stream or file. @returns how many there are */
  reauth(name: string): number;
  /** Portals whose subscribers a stream or file lets play, by id or name. */
  portalsOf(name: string): readonly string[];
  /** Addresses and users that are kept out. */
  readonly bans: Pick<Bans, 'list'>;
  /** Lifts the ban with an id. */
  lift(id: string): void;
  /** Keeps an address or a user out; undefined where there are too many bans. */
  keepOut(wanted: WantedBan): Ban | undefined;
}

/** What sessions of files need. */
export interface PlayedFiles {
  /** What says who may play a file; undefined for what is no file of a location. */
  settingsOf(name: string): PlaySettings | undefined;
  /** Hears how many viewers a file has. */
  counted(name: string, viewers: number): void;
}

/** What `PlaybackSessions` needs. */
export interface PlaybackSessionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  readonly events: SessionEvents;
  readonly streams: Pick<Streams, 'get'>;
  /** Files that are played; without it none are. */
  readonly files?: PlayedFiles;
  /** The country of an address by two letters; null where it is not known. */
  readonly countryOf: (ip: string) => string | null;
  /** Where bans are kept over restarts. */
  readonly banStore?: BanRecords | undefined;
  /** Folder that paths of backends start from. */
  readonly folder: string;
}

/** Joins the viewer sessions with streams and configuration, and shows them to the APIs. */
export class PlaybackSessions implements SessionSource {
  readonly sessions: Sessions;
  readonly policies: AccessPolicies;
  readonly #streams: PlaybackSessionsOptions['streams'];
  readonly #files: PlayedFiles | undefined;
  #config: Config;

  constructor(config: Config, options: PlaybackSessionsOptions) {
    const { clock, log, authority, events, streams, files, countryOf, banStore, folder } = options;
    this.#config = config;
    this.#streams = streams;
    this.#files = files;
    this.policies = new AccessPolicies(config, folder);
    this.sessions = new Sessions(
      {
        clock,
        log,
        authority,
        events,
        countryOf,
        policyOf: (stream): AccessPolicy | undefined => {
          const settings = this.#settingsOf(stream);
          return settings && this.policies.ofPlay(settings);
        },
        counted: (stream, viewers) => {
          const entry = streams.get(stream);
          if (entry) entry.output.viewerCount = viewers;
          else files?.counted(stream, viewers);
        },
      },
      banStore,
    );
  }

  /** Hosts whose pages alone may play a stream; empty where all may. */
  domainsOf(stream: string): readonly string[] {
    const settings = this.#settingsOf(stream);
    return settings ? this.policies.ofPlay(settings).domains : [];
  }

  portalsOf(name: string): readonly string[] {
    const settings = this.#settingsOf(name);
    const backends = settings ? this.policies.ofPlay(settings).backends : [];
    return backends.flatMap(({ place }) => (place.kind === 'subscribers' ? [place.portal] : []));
  }

  /** Whether anyone may watch a stream without a question. */
  isOpenToAll(stream: string): boolean {
    const settings = this.#settingsOf(stream);
    return settings !== undefined && !isRestricted(this.policies.ofPlay(settings));
  }

  /** Name of the query parameter with the token of a viewer. */
  get tokenName(): string {
    return this.#config.authToken;
  }

  /** Query with a viewing token. */
  viewQuery(token: string): string {
    return withToken('', this.tokenName, token);
  }

  /** Takes another configuration; sessions go on, and are judged by it. */
  apply(config: Config): void {
    this.#config = config;
    this.policies.apply(config);
    this.sessions.policiesChanged();
  }

  #settingsOf(name: string): PlaySettings | undefined {
    return this.#streams.get(name)?.settings ?? this.#files?.settingsOf(name);
  }

  *list(name?: string): Generator<SessionView, void, undefined> {
    for (const session of this.sessions.list(name)) yield view(session);
  }

  get(id: string): SessionView | undefined {
    const session = this.sessions.find(id);
    return session && view(session);
  }

  close(id: string): boolean {
    const session = this.sessions.find(id);
    if (session) this.sessions.ban(session);
    return session !== undefined;
  }

  reauth(name: string): number {
    return this.sessions.reauth(name);
  }

  get bans(): Bans {
    return this.sessions.bans;
  }

  lift(id: string): void {
    this.sessions.lift(id);
  }

  keepOut(wanted: WantedBan): Ban | undefined {
    return this.sessions.keepOut(wanted);
  }
}

function view(session: Session): SessionView {
  const { visitor } = session;
  return {
    id: session.id,
    key: session.hash,
    name: session.name,
    proto: session.proto,
    ip: visitor.ip,
    status: session.isRunning && session.isStalling ? 'stalling' : session.status,
    playedMs: session.playedMs ?? null,
    openedMs: session.openedMs,
    startedMs: session.startedMs,
    lastMs: session.lastMs,
    bytes: session.bytes,
    country: visitor.country,
    token: textOf(visitor.token),
    userAgent: textOf(visitor.userAgent),
    referer: textOf(visitor.referer),
    queryString: session.queryString,
    userId: session.userId,
    maxSessions: session.maxSessions ?? session.policy.maxSessions,
    archive: session.archive ?? null,
  };
}

function textOf(text: string): string | null {
  return text === '' ? null : text;
}
