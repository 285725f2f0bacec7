import { createHash } from 'node:crypto';
import type { AccessPolicy } from './access-policy.ts';
import type { Visitor } from './access-rules.ts';

/** How a session is played. Low-latency HLS counts as `hls`; `api` are requests that look at a stream and do not play it. */
export type SessionProtocol = 'hls' | 'dash' | 'mpegts' | 'mp4' | 'api';

/** `establishing`: a backend is asked about it; `running`; `finished`. */
export type SessionStatus = 'establishing' | 'running' | 'finished';

/** Why a session ended. */
export type CloseReason =
  'silent' | 'disconnected' | 'denied' | 'redirected' | 'limit' | 'closed' | 'stream_gone' | 'server_stopped';

/** Which time of an archive is played, in seconds since 1970; without an end it goes on. */
export interface ArchiveTime {
  readonly fromSeconds: number;
  /** Infinite: up to now, and on. */
  readonly durationSeconds: number;
}

/** What makes a session. */
export interface SessionOpening extends Visitor {
  /** Unique. */
  readonly id: string;
  /** Made of what makes it the same session when the viewer comes again. */
  readonly key: string;
  readonly proto: SessionProtocol;
  /** Query of the request that opened it. */
  readonly queryString: string;
  readonly policy: AccessPolicy;
  /** Which configuration the policy comes from. */
  readonly policyGeneration: number;
  readonly openedMs: number;
  /** How long it may be silent, in milliseconds. */
  readonly silentMs: number;
  /** What of the archive it begins with. */
  readonly archive?: ArchiveTime | undefined;
}

/** Receives what happens to one session. */
export interface SessionHooks {
  /** The first byte of media is on its way. */
  started(session: Session): void;
  /** The last connection that held it has ended. */
  released(session: Session): void;
}

/** The playback of one viewer. Its counters are written by delivery with every request, so they are plain fields. */
export class Session {
  readonly id: string;
  readonly key: string;
  /** Hash of the key: the same when the viewer comes again. */
  readonly hash: string;
  readonly proto: SessionProtocol;
  readonly visitor: Visitor;
  readonly queryString: string;
  readonly openedMs: number;
  readonly silentMs: number;
  /** What of the archive it plays; undefined while it is live. */
  archive: ArchiveTime | undefined;
  /** Whether it began with the archive. */
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
  /** Where the player says that it is, in milliseconds: of a stream since 1970, of a file since its begin. */
  playedMs: number | undefined;
  /** Whether the player says that it waits for media. */
  isStalling = false;
  /** Ids of the tracks that the player asked for; all without it. */
  tracks: readonly string[] | undefined;
  /** How often a backend was asked. */
  askCount = 0;
  /** Whether it is being asked about. */
  isAsking = false;
  /** State of the subscribers of this server when it was asked about last; -1 where its own subscriber changed since. */
  askedGeneration = 0;
  /** When the answer of the backend expires, epoch milliseconds. */
  askAgainMs = Infinity;
  /** How long the last answer holds; a ban lasts as long. */
  authDurationMs: number;
  /** The user that the backend named. */
  userId: string | null = null;
  maxSessions: number | null = null;
  /** What the backend says about advertisements, as it came. */
  adInject: unknown = undefined;
  /** Why no backend answered the last time that it was asked about; undefined where one did. */
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

  /** Counts bytes of media on their way to the viewer. */
  sent(bytes: number): void {
    this.bytes += bytes;
    if (this.startedMs !== 0) return;
    this.startedMs = this.lastMs;
    this.#hooks.started(this);
  }

  /** Keeps it open as long as a connection lasts. @param end ends the connection @returns what to call when the connection has ended */
  hold(end: () => void): () => void {
    this.#holders.add(end);
    return () => {
      if (this.#holders.delete(end) && this.#holders.size === 0) this.#hooks.released(this);
    };
  }

  /** Whether a connection holds it. */
  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** Calls back once it is decided about. Returns the way to give up. */
  whenDecided(callback: () => void): () => void {
    this.#deciding.add(callback);
    return () => {
      this.#deciding.delete(callback);
    };
  }

  /** Requests that wait for the decision. */
  get waitCount(): number {
    return this.#deciding.size;
  }

  /** Resolves everything that waits for the decision. */
  decided(): void {
    for (const callback of [...this.#deciding]) if (this.#deciding.delete(callback)) callback();
  }

  /** Ends the connections that hold it. */
  endHolders(): void {
    for (const end of [...this.#holders]) if (this.#holders.delete(end)) end();
  }
}
