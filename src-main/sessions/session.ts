import { createHash } from 'node:crypto';
import type { AccessPolicy } from './access-policy.ts';
import type { Visitor } from './access-rules.ts';

/**
 * Playback protocol of a session. Low-latency HLS counts as `hls`; `api` are requests that inspect a stream without
 * playing it.
 */
export type SessionProtocol = 'hls' | 'dash' | 'mpegts' | 'rtmp' | 'mp4' | 'api';

/** `establishing`: waits for a backend; `running`; `finished`. */
export type SessionStatus = 'establishing' | 'running' | 'finished';

/** Reason for the end of a session. */
export type CloseReason =
  'silent' | 'disconnected' | 'denied' | 'redirected' | 'limit' | 'closed' | 'stream_gone' | 'server_stopped';

/** Played time of an archive, in seconds since 1970. */
export interface ArchiveTime {
  readonly fromSeconds: number;
  /** Infinity for playback that continues into the live stream. */
  readonly durationSeconds: number;
}

/** Properties of a new session. */
export interface SessionOpening extends Visitor {
  /** Unique. */
  readonly id: string;
  /** Key by which a returning viewer finds the session again. */
  readonly key: string;
  readonly proto: SessionProtocol;
  /** Query of the opening request. */
  readonly queryString: string;
  readonly policy: AccessPolicy;
  /** Generation of the configuration that the policy comes from. */
  readonly policyGeneration: number;
  readonly openedMs: number;
  /** Maximum time without a request, in milliseconds. */
  readonly silentMs: number;
  /** Time of the archive at the opening. */
  readonly archive?: ArchiveTime | undefined;
}

/** Callbacks for one session. */
export interface SessionHooks {
  /** Called when the first byte of media was sent. */
  started(session: Session): void;
  /** Called when the last connection that kept the session open has ended. */
  released(session: Session): void;
}

/** Playback of one viewer. Its counters are plain fields, because delivery writes them with every request. */
export class Session {
  readonly id: string;
  readonly key: string;
  /** Hash of the key; equal for a returning viewer. */
  readonly hash: string;
  readonly proto: SessionProtocol;
  readonly visitor: Visitor;
  readonly queryString: string;
  readonly openedMs: number;
  readonly silentMs: number;
  /** Played time of the archive; undefined while it is live. */
  archive: ArchiveTime | undefined;
  /** True if the first request was for the archive. */
  readonly isOfArchive: boolean;
  policy: AccessPolicy;
  policyGeneration: number;
  status: SessionStatus = 'establishing';
  /** Epoch milliseconds of the last request or byte. */
  lastMs: number;
  /** Epoch milliseconds of the first byte of media; 0 before. */
  startedMs = 0;
  /** Epoch milliseconds of the end; 0 before. */
  closedMs = 0;
  bytes = 0;
  requestCount = 0;
  /** Position reported by the player, in milliseconds: of a stream since 1970, of a file since its start. */
  playedMs: number | undefined;
  /** True if the player reports that it waits for media. */
  isStalling = false;
  /** Ids of the tracks that the player requested; undefined for all. */
  tracks: readonly string[] | undefined;
  /** Number of requests to backends. */
  askCount = 0;
  /** True while a request to a backend is running. */
  isAuthorizing = false;
  /** Generation of the subscribers at the last request; -1 if the subscriber of this session has changed since. */
  authorizedGeneration = 0;
  /** Expiry of the backend's answer, in epoch milliseconds. */
  askAgainMs = Infinity;
  /** Validity of the last answer, which is also the length of a ban, in milliseconds. */
  authDurationMs: number;
  /** User named by the backend. */
  userId: string | null = null;
  maxSessions: number | null = null;
  /** Advertisement decision of the backend, unparsed. */
  adInject: unknown = undefined;
  /** Reason why no backend answered the last request; undefined if one did. */
  unanswered: string | undefined;
  readonly #holders = new Set<() => void>();
  readonly #deciding = new Set<() => void>();
  readonly #hooks: SessionHooks;

  constructor(opening: SessionOpening, authDurationMs: number, hooks: SessionHooks) {
    const { id, key, proto, queryString, openedMs, silentMs, archive, policy, policyGeneration, ...visitor } = opening;
    this.id = id;
    this.key = key;
    this.proto = proto;
    this.queryString = queryString;
    this.openedMs = openedMs;
    this.lastMs = openedMs;
    this.silentMs = silentMs;
    this.archive = archive;
    this.isOfArchive = archive !== undefined;
    this.policy = policy;
    this.policyGeneration = policyGeneration;
    this.hash = createHash('sha1').update(key).digest('hex');
    this.visitor = { ...visitor, proto };
    this.authDurationMs = authDurationMs;
    this.#hooks = hooks;
  }

  /** Name of the stream. */
  get name(): string {
    return this.visitor.name;
  }

  get isRunning(): boolean {
    return this.status === 'running';
  }

  /** Counts bytes of media sent to the viewer. */
  sent(bytes: number): void {
    this.bytes += bytes;
    if (this.startedMs !== 0) return;
    this.startedMs = this.lastMs;
    this.#hooks.started(this);
  }

  /**
   * Keeps the session open while a connection lasts.
   *
   * @param end closes the connection
   * @returns function to call when the connection has ended
   */
  hold(end: () => void): () => void {
    this.#holders.add(end);
    return () => {
      if (this.#holders.delete(end) && this.#holders.size === 0) this.#hooks.released(this);
    };
  }

  /** True while a connection keeps the session open. */
  get isOpen(): boolean {
    return this.#holders.size > 0;
  }

  /** Adds a callback for the decision; returns a function that removes it. */
  whenDecided(callback: () => void): () => void {
    this.#deciding.add(callback);
    return () => {
      this.#deciding.delete(callback);
    };
  }

  /** Number of requests that wait for the decision. */
  get waitCount(): number {
    return this.#deciding.size;
  }

  /** Wakes all requests that wait for the decision. */
  decided(): void {
    for (const callback of [...this.#deciding]) if (this.#deciding.delete(callback)) callback();
  }

  /** Closes the connections that keep the session open. */
  endHolders(): void {
    for (const end of [...this.#holders]) if (this.#holders.delete(end)) end();
  }
}
