import { z } from 'zod';
import { AD_SKIP_REASONS } from '../api/ad-objects.ts';
import { detail, explanation, eventEntry, ip, media, refusalCount, userAgent, type EventTable } from './event-entry.ts';
import { flag, integer, number, text, textOrNull } from '../api/api-parts.ts';

const country = textOrNull('two-letter country code of the viewer (ISO 3166-1), null if unknown');
const userId = textOrNull('user as named by the authorization backend, null without one');
const sessionId = text('id of the session');
const viewer = {
  media,
  session_id: sessionId,
  ip,
  proto: text('protocol: `hls`, `dash`, `mpegts` …'),
  country,
  user_id: userId,
  user_agent: userAgent,
} as const;
const bytes = integer('bytes sent to the viewer so far');
const durationMs = integer('duration of the session, in milliseconds');

/** Events of viewers. */
export const SESSION_EVENTS = {
  play_opened: eventEntry({
    doc: 'A viewer requested a stream, and a session was opened.',
    level: 'info',
    fields: viewer,
  }),
  play_started: eventEntry({
    doc: 'The first media was sent to the viewer.',
    level: 'info',
    fields: viewer,
  }),
  play_updated: eventEntry({
    doc: 'The authorization of a session was renewed.',
    level: 'debug',
    fields: { ...viewer, bytes, duration_ms: durationMs },
  }),
  play_closed: eventEntry({
    doc: 'The session of a viewer ended.',
    level: 'info',
    fields: {
      ...viewer,
      bytes,
      duration_ms: durationMs,
      reason: z
        .enum(['silent', 'disconnected', 'denied', 'redirected', 'limit', 'closed', 'stream_gone', 'server_stopped'])
        .describe('reason'),
    },
  }),
  play_denied: eventEntry({
    doc: 'A viewer was denied, or disconnected by the server.',
    level: 'notice',
    fields: {
      media,
      session_id: sessionId.nullable().describe('id of the session, null for a viewer that was never admitted'),
      ip,
      proto: viewer.proto,
      country,
      user_agent: userAgent,
      detail,
      explanation,
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;

const differenceText = textOrNull(
  'description of the reason; for a clip that differs from the stream, each property with both values',
);
const adShowing = {
  media,
  submedia: textOrNull('part of the stream into which it was inserted, null for the stream itself'),
  path: text('the clip, as `<vod>/<file>`'),
  placement: z.enum(['preroll', 'midroll']).describe('preroll or midroll'),
  break_id: text('id of the break; a break of a splice point has the same id for all viewers'),
  showing_id: text('id of this showing of the clip to this viewer, the same as in the as-run log'),
  duration: number('length of the clip, in seconds'),
  midroll_insert_by: z.enum(['splicing', 'interval']).nullable().describe('trigger of the break; null for a preroll'),
  session_id: sessionId,
  dts: integer('epoch milliseconds of the first key frame of the advertisement'),
  country,
  user_id: userId,
  user_name: textOrNull('always null: authorization backends provide no names'),
} as const;

/** Events of advertisements. */
export const AD_EVENTS = {
  ad_inject: eventEntry({
    doc: 'A viewer was shown an advertisement: its first segment was sent.',
    level: 'info',
    aliases: ['ad_injected'],
    fields: adShowing,
  }),
  ad_progress: eventEntry({
    doc: 'A viewer was sent 25, 50, 75 or 100 percent of an advertisement.',
    level: 'info',
    fields: {
      ...adShowing,
      progress: z
        .union([z.literal(25), z.literal(50), z.literal(75), z.literal(100)])
        .describe('percent of the clip that were sent; 100 for the complete clip'),
    },
  }),
  ad_answer: eventEntry({
    doc: 'The answer of an authorization backend about advertisements has errors, or values that were converted.',
    level: 'notice',
    fields: {
      media,
      is_refused: flag('whether nothing is inserted'),
      detail: text(
        'each error with its field, and each converted value, such as a text that became a list of one clip',
      ),
      explanation,
      session_id: sessionId,
      country,
      user_id: userId,
      count: refusalCount,
    },
  }),
  ad_skipped: eventEntry({
    doc: 'A clip or a complete break was skipped for a viewer. The viewer sees the stream or the other clips of the break.',
    level: 'notice',
    fields: {
      media,
      submedia: adShowing.submedia,
      path: textOrNull('the clip, as `<vod>/<file>`; null for the whole break'),
      placement: adShowing.placement,
      break_id: adShowing.break_id,
      reason: z
        .enum(AD_SKIP_REASONS)
        .describe('reason; Advertisements in the documentation says what to do about each'),
      detail: differenceText,
      explanation,
      session_id: sessionId,
      country,
      user_id: userId,
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;
