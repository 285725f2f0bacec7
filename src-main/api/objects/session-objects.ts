import type { SessionObject } from '../../../src-preload/contract/api/session-object.ts';
import type { Clock } from '../../lib/clock.ts';
import { type JsonObject, type ObjectSource } from './object-source.ts';
import type { SessionSource, SessionView } from '../../control/sessions/playback-sessions.ts';

type Reader<K extends keyof SessionObject> = (session: SessionView, nowMs: number) => SessionObject[K];

/** Readers of the fields, by name. */
const FIELDS: { readonly [K in keyof SessionObject]: Reader<K> } = {
  id: ({ id }) => id,
  key: ({ key }) => key,
  type: () => 'play',
  name: ({ name }) => name,
  proto: ({ proto }) => proto,
  status: ({ status }) => status,
  current_time: ({ playedMs }) => playedMs,
  ip: ({ ip }) => ip,
  country: ({ country }) => country,
  bytes: ({ bytes }) => bytes,
  duration: ({ openedMs }, nowMs) => Math.max(0, nowMs - openedMs),
  opened_at: ({ openedMs }) => openedMs,
  started_at: ({ startedMs }) => (startedMs === 0 ? null : startedMs),
  updated_at: ({ lastMs }) => lastMs,
  token: ({ token }) => token,
  user_id: ({ userId }) => userId,
  max_sessions: ({ maxSessions }) => maxSessions,
  dvr: ({ archive }) => archive !== null,
  dvr_from: ({ archive }) => archive?.fromSeconds ?? null,
  dvr_duration: ({ archive }) => (archive && Number.isFinite(archive.durationSeconds) ? archive.durationSeconds : null),
  user_agent: ({ userAgent }) => userAgent,
  referer: ({ referer }) => referer,
  query_string: ({ queryString }) => queryString,
};

/** Viewers' sessions in the collection API. */
export class SessionObjects implements ObjectSource<SessionView> {
  readonly #sessions: SessionSource;
  readonly #clock: Clock;

  constructor(sessions: SessionSource, clock: Clock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  rows(): readonly SessionView[] {
    return [...this.#sessions.list()];
  }

  find(id: string): SessionView | undefined {
    return this.#sessions.get(id);
  }

  getter(path: string): (session: SessionView) => unknown {
    const nowMs = this.#clock.now();
    if (!Object.hasOwn(FIELDS, path)) return () => undefined;
    // Own keys of the table are its key type.
    const read = FIELDS[path as keyof SessionObject];
    return (session) => read(session, nowMs);
  }

  *texts({ id, name, ip, userAgent, userId }: SessionView): Iterable<string | null> {
    yield* [id, name, ip, userAgent, userId];
  }

  object(session: SessionView): JsonObject {
    const nowMs = this.#clock.now();
    const object: Record<string, string | number | boolean | null> = {};
    for (const [name, read] of Object.entries(FIELDS)) object[name] = read(session, nowMs);
    return object;
  }
}
