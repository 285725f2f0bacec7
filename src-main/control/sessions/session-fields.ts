import type { SessionObject } from '../../../src-preload/contract/api/session-object.ts';
import type { SessionView } from './playback-sessions.ts';

/** Readers of the fields of a session, for the APIs and the desk. */
export const SESSION_FIELDS: {
  readonly [K in keyof SessionObject]: (session: SessionView, nowMs: number) => SessionObject[K];
} = {
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
