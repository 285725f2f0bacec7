import { z } from 'zod';
import { spliceObjectSchema } from '../api/splice-object.ts';
import {
  code,
  detail,
  eventEntry,
  explanation,
  ip,
  media,
  refusalCount,
  userAgent,
  type EventTable,
} from './event-entry.ts';
import { integer, integerOrNull, text, textOrNull } from '../api/api-parts.ts';

const input = textOrNull('input: `input 1` and so on in the order of the configuration, or `backup`');
const inputFields = { media, input, code, detail, explanation } as const;

/** Events of streams. */
export const STREAM_EVENTS = {
  stream_opened: eventEntry({
    doc: 'A stream was opened, and its inputs are started.',
    level: 'info',
    fields: { media, reason: z.enum(['configured', 'viewer', 'publisher', 'restart']).describe('reason') },
  }),
  stream_updated: eventEntry({
    doc: 'Tracks of a stream appeared or changed, or its settings were changed without a restart.',
    level: 'info',
    fields: {
      media,
      reason: z.enum(['tracks', 'settings']).describe('kind of the change'),
      video_codec: textOrNull('codec of the first video track, null without one'),
      width: integerOrNull('width of the picture in pixels'),
      height: integerOrNull('height of the picture in pixels'),
      audio_codec: textOrNull('codec of the first audio track, null without one'),
      track_count: integer('number of tracks'),
    },
  }),
  stream_closed: eventEntry({
    doc: 'A stream was closed, and its inputs are stopped.',
    level: 'info',
    fields: {
      media,
      reason: z
        .enum(['removed', 'restart', 'no_viewers', 'publisher_left', 'publisher_moved', 'thread_failed'])
        .describe('reason'),
      lifetime_ms: integerOrNull('time for which the stream was open, in milliseconds'),
      bytes_in: integer('bytes received from its inputs in this time'),
    },
  }),
  stream_idle: eventEntry({
    doc: 'No input of the stream has frames; playback pauses until frames return.',
    level: 'warn',
    fields: inputFields,
  }),
  splice_point: eventEntry({
    doc: 'A splice point (SCTE-35) was announced, moved or cancelled; reported once, however often the input repeats it. At most 16 per stream at once, then one every five seconds.',
    level: 'info',
    fields: {
      media,
      ...spliceObjectSchema.omit({ event_id: true, segmentation: true, section: true }).shape,
      splice_event_id: spliceObjectSchema.shape.event_id,
      segmentation_type: textOrNull('type of the first segmentation descriptor, null without one'),
      upid_type: textOrNull('type of its UPID, null without a descriptor'),
      upid: textOrNull('its UPID: text, or `0x` and hexadecimal digits'),
      section: spliceObjectSchema.shape.section,
      left_out: integer('number of earlier splice points of the stream that came too fast to be reported'),
    },
  }),
  media_thread_failed: eventEntry({
    doc: 'The media thread of a stream failed; the stream is opened again.',
    level: 'error',
    fields: inputFields,
  }),
} as const satisfies EventTable;

/** Events of the inputs of a stream. */
export const INPUT_EVENTS = {
  input_switched: eventEntry({
    doc: 'Another input of the stream is on air.',
    level: 'notice',
    fields: { ...inputFields, from: textOrNull('the previous input') },
  }),
  input_selected: eventEntry({
    doc: 'An operator selected an input of a stream, or returned to automatic selection.',
    level: 'notice',
    fields: inputFields,
  }),
  input_lost: eventEntry({
    doc: 'The connection of an input was lost or could not be established; reported once until frames return.',
    level: 'warn',
    fields: inputFields,
  }),
  input_restored: eventEntry({
    doc: 'A lost input has frames again.',
    level: 'info',
    fields: inputFields,
  }),
  input_problem: eventEntry({
    doc: 'The data of an input has an error, for example lost packets or a clock jump. Each code is reported at most once a minute.',
    level: 'warn',
    fields: inputFields,
  }),
  input_given_up: eventEntry({
    doc: 'An input is given up after all attempts of `retry_limit`.',
    level: 'error',
    fields: inputFields,
  }),
  input_quarantined: eventEntry({
    doc: 'An input crashed its media thread twice, by stalling it or by exhausting its memory, and is not opened for a while; `detail` says until when.',
    level: 'error',
    fields: inputFields,
  }),
  input_released: eventEntry({
    doc: 'An operator released an input from quarantine, by selecting it or by restarting its stream.',
    level: 'notice',
    fields: inputFields,
  }),
  frames_timed_out: eventEntry({
    doc: 'A running input has sent no frames for its `frames_timeout`.',
    level: 'warn',
    fields: inputFields,
  }),
  frames_restored: eventEntry({
    doc: 'A silent input sends frames again, on the same connection.',
    level: 'info',
    fields: inputFields,
  }),
  backup_started: eventEntry({
    doc: 'No input has frames: the backup file plays.',
    level: 'warn',
    fields: inputFields,
  }),
  backup_stopped: eventEntry({
    doc: 'An input took over from the backup file.',
    level: 'info',
    fields: inputFields,
  }),
} as const satisfies EventTable;

/** Events of encoders that publish. */
export const PUBLISHER_EVENTS = {
  publish_opened: eventEntry({
    doc: 'An encoder started to publish a stream.',
    level: 'info',
    fields: { media, ip, user_agent: userAgent },
  }),
  publish_closed: eventEntry({
    doc: 'An encoder stopped publishing.',
    level: 'info',
    fields: {
      media,
      code,
      lifetime_ms: integerOrNull('duration of the publication, in milliseconds'),
    },
  }),
  publish_refused: eventEntry({
    doc: 'An encoder was rejected.',
    level: 'warn',
    fields: {
      media: media.nullable().describe('name of the stream, null if there is none of this name'),
      path: text('requested name'),
      ip: ip.nullable().describe('remote address; null for callers by SRT, whose library does not report it'),
      code,
      detail,
      explanation,
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;

const push = { media, url: text('destination, without secrets') } as const;

/** Events of streams that are sent to other servers. */
export const PUSH_EVENTS = {
  push_opened: eventEntry({
    doc: 'A push of a stream to another server was set up.',
    level: 'info',
    fields: push,
  }),
  push_connected: eventEntry({
    doc: 'The other server accepted the connection.',
    level: 'info',
    fields: push,
  }),
  push_started: eventEntry({ doc: 'The first frame was sent.', level: 'info', fields: push }),
  push_updated: eventEntry({
    doc: 'The tracks that are sent changed.',
    level: 'info',
    fields: { ...push, bytes: integer('bytes sent so far') },
  }),
  push_blocked: eventEntry({
    doc: 'The other server cannot be reached, refuses the stream, or accepts data too slowly. Reported once until it is restored.',
    level: 'warn',
    fields: { ...push, code, detail, explanation },
  }),
  push_restored: eventEntry({
    doc: 'The other server accepts the stream again.',
    level: 'info',
    fields: push,
  }),
  push_reconfigured: eventEntry({
    doc: 'The settings of a push changed.',
    level: 'info',
    fields: push,
  }),
  push_closed: eventEntry({
    doc: 'The push of a stream to another server ended: it was removed or switched off, its planned end has come, or the stream was closed.',
    level: 'info',
    fields: { ...push, code, detail, explanation, bytes: integer('bytes sent') },
  }),
} as const satisfies EventTable;
