import type { Config } from '../../config/schema/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { isRestricted, type AccessPolicy } from '../../sessions/access-policy.ts';
import type { Ban, Bans, BanRecords, BanRequest } from '../../sessions/bans.ts';
import type { Authority } from '../../sessions/backends.ts';
import { Sessions } from '../../sessions/sessions.ts';
import type { Session } from '../../sessions/session.ts';
import type { SessionEvents } from '../../sessions/session-events.ts';
import { withToken } from '../../sessions/token.ts';
import { AccessPolicies, type PlaySettings } from '../../configuration/session-policies.ts';
import type { Streams } from '../../streams/streams.ts';

/** Playback of one viewer, as the APIs and the desk see it. */
export interface SessionView {
  readonly id: string;
  /** Key of the session; the same for a returning viewer, so not unique. */
  readonly key: string;
  /** Name of the stream, or of the file with its prefix. */
  readonly name: string;
  /** `hls`, `dash`, `mpegts` … */
  readonly proto: string;
  readonly ip: string;
  readonly status: 'establishing' | 'running' | 'stalling' | 'finished';
  /**
   * Position reported by its player, in milliseconds: of a stream since 1970, of a file since its start. Null if the player
   * reports none.
   */
  readonly playedMs: number | null;
  /** Epoch milliseconds. */
  readonly openedMs: number;
  /** Time of the first byte of media, epoch milliseconds; 0 before. */
  readonly startedMs: number;
  /** Time of the last request or byte, epoch milliseconds. */
  readonly lastMs: number;
  /** Delivered bytes. */
  readonly bytes: number;
  /** Two letters; null if unknown. */
  readonly country: string | null;
  readonly token: string | null;
  readonly userAgent: string | null;
  readonly referer: string | null;
  readonly queryString: string;
  /** User that the authorization backend named. */
  readonly userId: string | null;
  readonly maxSessions: number | null;
  /** Range of the archive that the session plays, in seconds since 1970; an infinite duration means no end. Null for live. */
  readonly archive: { readonly fromSeconds: number; readonly durationSeconds: number } | null;
}

export interface SessionSource {
  /** Open sessions, of one stream or file if a name is given. Iterate in steps, because there may be many. */
  list(name?: string): Iterable<SessionView>;
  get(id: string): SessionView | undefined;
  /** Ends a session. @returns false if there is none */
  close(id: string): boolean;
  /** Has the backend authorize every session of a stream or file again. @returns the number of sessions */
  reauth(name: string): number;
  /** Portals, by id or name, whose subscribers may play a stream or file. */
  portalsOf(name: string): readonly string[];
  /** Banned addresses and users. */
  readonly bans: Pick<Bans, 'list'>;
  lift(id: string): void;
  /** Bans an address or a user; undefined if there are too many bans. */
  addBan(ban: BanRequest): Ban | undefined;
}

export interface PlayedFiles {
  /** Settings that decide who may play a file; undefined if the name is not a file of a location. */
  settingsOf(name: string): PlaySettings | undefined;
  /** Called with the number of viewers of a file. */
  counted(name: string, viewers: number): void;
}

export interface PlaybackSessionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  readonly events: SessionEvents;
  readonly streams: Pick<Streams, 'get'>;
  /** Absent if there are no files to play. */
  readonly files?: PlayedFiles;
  /** Country of an address by two letters; null if unknown. */
  readonly countryOf: (ip: string) => string | null;
  readonly banStore?: BanRecords | undefined;
  /** Base folder of relative paths of backends. */
  readonly folder: string;
  /** Age at which a desk gets another viewing token, in milliseconds; default: an hour. */
  readonly deskTokenMs?: number | undefined;
}

/** Connects the viewer sessions with streams and the configuration, and shows them to the APIs. */
export class PlaybackSessions implements SessionSource {
  readonly sessions: Sessions;
  readonly policies: AccessPolicies;
  readonly #streams: PlaybackSessionsOptions['streams'];
  readonly #files: PlayedFiles | undefined;
  #config: Config;

  constructor(config: Config, options: PlaybackSessionsOptions) {
    const { clock, log, authority, events, streams, files, countryOf, banStore, folder, deskTokenMs } = options;
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
        deskTokenMs,
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

  /** Hosts whose pages may play a stream; empty for all hosts. */
  domainsOf(stream: string): readonly string[] {
    const settings = this.#settingsOf(stream);
    return settings ? this.policies.ofPlay(settings).domains : [];
  }

  portalsOf(name: string): readonly string[] {
    const settings = this.#settingsOf(name);
    const backends = settings ? this.policies.ofPlay(settings).backends : [];
    return backends.flatMap(({ location }) => (location.kind === 'subscribers' ? [location.portal] : []));
  }

  /** Whether a stream may be watched without authorization. */
  isOpenToAll(stream: string): boolean {
    const settings = this.#settingsOf(stream);
    return settings !== undefined && !isRestricted(this.policies.ofPlay(settings));
  }

  /** Name of the query parameter with a viewer's token. */
  get tokenName(): string {
    return this.#config.authToken;
  }

  viewQuery(token: string): string {
    return withToken('', this.tokenName, token);
  }

  /** Applies another configuration. Sessions continue under its rules. */
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

  addBan(ban: BanRequest): Ban | undefined {
    return this.sessions.addBan(ban);
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
