import { z } from 'zod';
import { spliceObjectSchema } from '../api/splice-object.ts';
import { code, detail, eventEntry, ip, media, refusalCount, userAgent, type EventTable } from './event-entry.ts';

const input = z
  .string()
  .nullable()
  .describe('which input: `input 1` and so on in the order of the configuration, or `backup`');
const inputFields = { media, input, code, detail } as const;

/** Events of streams. */
export const STREAM_EVENTS = {
  stream_opened: eventEntry({
    doc: 'A stream was opened: its inputs are asked from now on.',
    level: 'info',
    isEmitted: true,
    fields: { media, reason: z.enum(['configured', 'viewer', 'publisher', 'restart']).describe('why') },
  }),
  stream_updated: eventEntry({
    doc: 'The tracks of a stream came or changed, or its settings were changed without a restart.',
    level: 'info',
    isEmitted: true,
    fields: {
      media,
      reason: z.enum(['tracks', 'settings']).describe('what changed'),
      video_codec: z.string().nullable().describe('codec of the first video track, null without one'),
      width: z.number().int().nullable().describe('width of the picture in pixels'),
      height: z.number().int().nullable().describe('height of the picture in pixels'),
      audio_codec: z.string().nullable().describe('codec of the first audio track, null without one'),
      track_count: z.number().int().describe('how many tracks there are'),
    },
  }),
  stream_closed: eventEntry({
    doc: 'A stream was closed: nothing is asked for it any more.',
    level: 'info',
    isEmitted: true,
    fields: {
      media,
      reason: z
        .enum(['removed', 'restart', 'no_viewers', 'publisher_left', 'publisher_moved', 'thread_failed'])
        .describe('why'),
      lifetime_ms: z.number().int().nullable().describe('how long it was open, in milliseconds'),
      bytes_in: z.number().int().describe('bytes that its inputs gave in this time'),
    },
  }),
  stream_idle: eventEntry({
    doc: 'Nothing gives frames for the stream; what viewers have ends here until frames come again.',
    level: 'warn',
    isEmitted: true,
    fields: inputFields,
  }),
  splice_point: eventEntry({
    doc: 'A splice point (SCTE-35) was announced, moved or taken back; each once, however often its input repeats it. Of a stream 16 at once, then one in five seconds.',
    level: 'info',
    isEmitted: true,
    fields: {
      media,
      ...spliceObjectSchema.omit({ event_id: true, segmentation: true, section: true }).shape,
      splice_event_id: spliceObjectSchema.shape.event_id,
      segmentation_type: z
        .string()
        .nullable()
        .describe('what the first segmentation descriptor marks, null without one'),
      upid_type: z.string().nullable().describe('kind of its UPID, null without a descriptor'),
      upid: z.string().nullable().describe('its UPID: text, or `0x` and hexadecimal digits'),
      section: spliceObjectSchema.shape.section,
      left_out: z
        .number()
        .int()
        .describe('splice points of the stream before this one that came too fast to be reported'),
    },
  }),
  media_thread_failed: eventEntry({
    doc: 'The media thread of a stream died; the stream is opened again.',
    level: 'error',
    isEmitted: true,
    fields: inputFields,
  }),
} as const satisfies EventTable;

/** Events of the inputs of a stream. */
export const INPUT_EVENTS = {
  input_switched: eventEntry({
    doc: 'The output goes on with another input.',
    level: 'notice',
    isEmitted: true,
    fields: { ...inputFields, from: z.string().nullable().describe('the input that was on air before') },
  }),
  input_selected: eventEntry({
    doc: 'An operator selected the input of a stream, or returned the choice to the server.',
    level: 'notice',
    isEmitted: true,
    fields: inputFields,
  }),
  input_lost: eventEntry({
    doc: 'The connection of an input ended or could not be made; reported once until frames come again.',
    level: 'warn',
    isEmitted: true,
    fields: inputFields,
  }),
  input_restored: eventEntry({
    doc: 'An input that was lost gives frames.',
    level: 'info',
    isEmitted: true,
    fields: inputFields,
  }),
  input_problem: eventEntry({
    doc: 'What an input gives has a fault, for example lost packets or a clock that jumped. Each code is reported at most once a minute.',
    level: 'warn',
    isEmitted: true,
    fields: inputFields,
  }),
  input_given_up: eventEntry({
    doc: 'An input was tried as often as `retry_limit` allows.',
    level: 'error',
    isEmitted: true,
    fields: inputFields,
  }),
  input_quarantined: eventEntry({
    doc: 'An input ended its media thread twice, by stall or by exhausted memory, and is not opened for a while; `detail` says until when.',
    level: 'error',
    isEmitted: true,
    fields: inputFields,
  }),
  input_released: eventEntry({
    doc: 'An operator lifted the quarantine of an input, by selecting it or by restarting its stream.',
    level: 'notice',
    isEmitted: true,
    fields: inputFields,
  }),
  frames_timed_out: eventEntry({
    doc: 'An input that gave frames gives none for its `frames_timeout`.',
    level: 'warn',
    isEmitted: true,
    fields: inputFields,
  }),
  frames_restored: eventEntry({
    doc: 'The frames of a silent input came again, on the same connection.',
    level: 'info',
    isEmitted: true,
    fields: inputFields,
  }),
  backup_started: eventEntry({
    doc: 'No input gives frames: the backup file plays.',
    level: 'warn',
    isEmitted: true,
    fields: inputFields,
  }),
  backup_stopped: eventEntry({
    doc: 'An input took over from the backup file.',
    level: 'info',
    isEmitted: true,
    fields: inputFields,
  }),
} as const satisfies EventTable;

/** Events of encoders that publish. */
export const PUBLISHER_EVENTS = {
  publish_opened: eventEntry({
    doc: 'An encoder publishes a stream.',
    level: 'info',
    isEmitted: true,
    fields: { media, ip, user_agent: userAgent },
  }),
  publish_closed: eventEntry({
    doc: 'An encoder that published is gone.',
    level: 'info',
    isEmitted: true,
    fields: {
      media,
      code,
      lifetime_ms: z.number().int().nullable().describe('how long it published, in milliseconds'),
    },
  }),
  publish_refused: eventEntry({
    doc: 'An encoder was turned away.',
    level: 'warn',
    isEmitted: true,
    fields: {
      media: media.nullable().describe('name of the stream, null where there is none of this name'),
      path: z.string().describe('what it wanted to publish as'),
      ip,
      code,
      detail,
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;

const push = { media, url: z.string().describe('where it goes, without secrets') } as const;

/** Events of streams that are sent to other servers. */
export const PUSH_EVENTS = {
  push_opened: eventEntry({
    doc: 'A stream is to be sent to another server.',
    level: 'info',
    isEmitted: false,
    fields: push,
  }),
  push_connected: eventEntry({
    doc: 'The other server took the connection.',
    level: 'info',
    isEmitted: false,
    fields: push,
  }),
  push_started: eventEntry({ doc: 'The first frame was sent.', level: 'info', isEmitted: false, fields: push }),
  push_updated: eventEntry({
    doc: 'What is sent changed.',
    level: 'info',
    isEmitted: false,
    fields: { ...push, bytes: z.number().int().describe('bytes sent so far') },
  }),
  push_blocked: eventEntry({
    doc: 'The other server takes nothing any more.',
    level: 'warn',
    isEmitted: false,
    fields: { ...push, code, detail },
  }),
  push_restored: eventEntry({
    doc: 'The other server takes frames again.',
    level: 'info',
    isEmitted: false,
    fields: push,
  }),
  push_reconfigured: eventEntry({
    doc: 'The settings of a push changed.',
    level: 'info',
    isEmitted: false,
    fields: push,
  }),
  push_closed: eventEntry({
    doc: 'A stream is no longer sent to another server.',
    level: 'info',
    isEmitted: false,
    fields: { ...push, code, detail, bytes: z.number().int().describe('bytes sent') },
  }),
} as const satisfies EventTable;
