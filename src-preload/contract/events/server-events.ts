import { z } from 'zod';
import { alarmFactsSchema } from '../api/alarm-words.ts';
import { code, detail, eventEntry, ip, media, refusalCount, userAgent, type EventTable } from './event-entry.ts';

const version = z.string().describe('version of the program');
const sink = z.string().describe('name of the event sink');

const openFiles = z.number().int().nullable();
const handles = {
  count: openFiles.describe('files and connections that are open, null where not even that can be asked'),
  limit: openFiles.describe('most that the process may have, null where unknown'),
} as const;

/** Events of the server itself. */
export const SERVER_EVENTS = {
  server_starting: eventEntry({
    doc: 'The server was started and reads its configuration.',
    level: 'info',
    isEmitted: true,
    fields: { version },
  }),
  server_started: eventEntry({
    doc: 'The server serves.',
    level: 'info',
    isEmitted: true,
    fields: {
      version,
      base_url: z.string().describe('address of the media and of the desk, as seen from the machine of the server'),
    },
  }),
  server_stopping: eventEntry({
    doc: 'The server was asked to stop. Sinks that do not take the event in time have it after the next start.',
    level: 'info',
    isEmitted: true,
    fields: { version },
  }),
  open_files_exhausted: eventEntry({
    doc: 'Hardly any file handle is left to the server: the system drops connections. Raise the limit (`ulimit -n`, `LimitNOFILE`).',
    level: 'alert',
    isEmitted: true,
    fields: handles,
  }),
  open_files_restored: eventEntry({
    doc: 'There are file handles for connections again.',
    level: 'notice',
    isEmitted: true,
    fields: handles,
  }),
} as const satisfies EventTable;

const change = {
  version: z
    .number()
    .int()
    .nullable()
    .describe('number of the configuration in its history, null where it could not be kept there'),
  by: z.string().describe('login of the author of the change, or what is known instead'),
  origin: z
    .string()
    .describe(
      'by which way it came: `start`, `file`, `signal`, `timer`, or `desk` or `api` with the address of the caller',
    ),
} as const;
const summary = z.string().describe('what changed, in words');

/** Events of the configuration. */
export const CONFIG_EVENTS = {
  config_applied: eventEntry({
    doc: 'Another configuration is in force.',
    level: 'notice',
    isEmitted: true,
    fields: {
      ...change,
      summary,
      is_pending: z.boolean().describe('whether it is taken back unless it is confirmed'),
    },
  }),
  config_confirmed: eventEntry({
    doc: 'A configuration that was applied for a time stays.',
    level: 'notice',
    isEmitted: true,
    fields: change,
  }),
  config_rolled_back: eventEntry({
    doc: 'A configuration was not confirmed in time, or was taken back: the one before is in force again.',
    level: 'warn',
    isEmitted: true,
    fields: { ...change, summary },
  }),
  config_refused: eventEntry({
    doc: 'The configuration file has a mistake and was not taken; what ran goes on.',
    level: 'error',
    isEmitted: true,
    fields: { code, detail },
  }),
} as const satisfies EventTable;

const author = { by: change.by, origin: change.origin } as const;
const range = {
  from: z.number().int().describe('its begin, in epoch milliseconds'),
  duration_ms: z.number().int().describe('its length in milliseconds'),
} as const;
const storage = z.string().nullable().describe('the storage, null for that of the stream');
const job = {
  storage: storage.describe('the storage; null for all'),
  status: z.enum(['done', 'stopped', 'error']).describe('how it ended'),
  count: z.number().int().describe('how many blocks were deleted, looked at, or copied'),
  bytes: z.number().int().describe('how much'),
  detail,
} as const;
const note = z.string().describe('why');

/** Events of the archive. */
export const ARCHIVE_EVENTS = {
  dvr_new_fragment: eventEntry({
    doc: 'A block of the archive was finished.',
    level: 'debug',
    isEmitted: true,
    fields: {
      media,
      storage,
      from: z.number().int().describe('its begin, in epoch milliseconds'),
      duration_ms: z.number().int().describe('its length in milliseconds'),
      bytes: z.number().int().describe('its size'),
    },
  }),
  dvr_deleted_fragments: eventEntry({
    doc: 'Blocks of the archive were deleted: their time was over, room was needed, or an operator wanted it.',
    level: 'debug',
    isEmitted: true,
    fields: {
      media,
      storage,
      count: z.number().int().describe('how many'),
      bytes: z.number().int().describe('how much'),
      reason: z
        .enum(['age', 'size', 'disk', 'request'])
        .describe('their time was over, there was more than the limit, the disk was too full, or it was asked for'),
      from: range.from
        .nullable()
        .describe('begin of the time that was asked for, in epoch milliseconds; otherwise null'),
      duration_ms: range.duration_ms.nullable().describe('its length in milliseconds; otherwise null'),
      note: note.nullable().describe('why, where it was asked for; otherwise null'),
      ...author,
    },
  }),
  dvr_locked: eventEntry({
    doc: 'A range of an archive was locked: no limit deletes it.',
    level: 'notice',
    isEmitted: true,
    fields: { media, ...range, note, ...author },
  }),
  dvr_unlocked: eventEntry({
    doc: 'A range of an archive is no longer locked.',
    level: 'notice',
    isEmitted: true,
    fields: { media, ...range, note: note.describe('the notes of its locks'), ...author },
  }),
  dvr_collapsed_write: eventEntry({
    doc: 'A disk was so slow that writes were gathered for more than two seconds; at most one in a minute.',
    level: 'warn',
    isEmitted: true,
    fields: { media, storage, detail },
  }),
  dvr_drop_write: eventEntry({
    doc: 'A disk was too slow, too full or gone: the recording broke off. It comes again when the recording goes on by itself, with how long is missing.',
    level: 'error',
    isEmitted: true,
    fields: {
      media,
      storage,
      code: z
        .string()
        .describe('code of the system, such as ENOSPC or EIO, or disk_slow, disk_error, not_mounted, no_disk'),
      detail,
      from: z.number().int().describe('from when on media is missing, in epoch milliseconds'),
      duration_ms: z
        .number()
        .int()
        .nullable()
        .describe('how long it is missing; null while the recording does not go on'),
    },
  }),
  dvr_deletion_held: eventEntry({
    doc: 'Nothing is deleted from archives by their limits until an operator confirms, or until the clock was steady for a day after it jumped.',
    level: 'error',
    isEmitted: true,
    fields: {
      reason: z
        .enum(['clock', 'locks', 'catalog', 'state'])
        .describe(
          'the clock jumped, the database with the locks was lost or is older than their copies, the catalog of recordings was lost, or the file that remembers clock and holds was lost',
        ),
      jump_hours: z.number().nullable().describe('how far the clock jumped; null for other reasons'),
      restored: z
        .number()
        .int()
        .nullable()
        .describe('locks and episodes that were restored from copies; null for other reasons'),
    },
  }),
  dvr_deletion_allowed: eventEntry({
    doc: 'An operator confirmed that archives are cleaned again.',
    level: 'notice',
    isEmitted: true,
    fields: { reasons: z.string().describe('why nothing was deleted, separated by commas'), ...author },
  }),
  dvr_clean: eventEntry({
    doc: 'A cleanup of the archives that was asked for has ended.',
    level: 'info',
    isEmitted: true,
    fields: job,
  }),
  dvr_copies_finished: eventEntry({
    doc: 'Blocks of the archive were copied to other disks of their storage or moved there, or could not be: a pass over the storages has ended. Passes with nothing to do are silent.',
    level: 'notice',
    isEmitted: true,
    fields: { ...job, faults: z.number().int().describe('how many blocks could not be copied') },
  }),
  dvr_export_finished: eventEntry({
    doc: 'A part of the archive was exported, or could not be.',
    level: 'info',
    isEmitted: true,
    fields: {
      media,
      id: z.string().describe('the export: those of several streams have one event for each'),
      path: z.string().nullable().describe('where it lies; null where there is no file'),
      bytes: z.number().int().describe('bytes of all files of this stream'),
      sha256: z.string().nullable().describe('SHA-256 of the file, in hexadecimal digits; null where there is none'),
      code: code.nullable().describe('null where it was done'),
      detail,
      by: z.string().describe('login of who asked for it, or what is known instead'),
    },
  }),
  clip_job_finished: eventEntry({
    doc: 'A clip was made ready to be inserted, or could not be.',
    level: 'info',
    isEmitted: true,
    fields: {
      id: z.string().describe('the job'),
      clip: z.string().describe('location and name of the clip, as `ad_inject` names it'),
      bytes: z.number().int().describe('size of the file; 0 where there is none'),
      duration_ms: z.number().int().describe('its length; 0 where there is none'),
      differences: z
        .number()
        .int()
        .describe('in how many properties it is not like the stream: with any it is not inserted'),
      code: code.nullable().describe('why it was not made; null where it was'),
      detail,
      by: z.string().describe('login of who asked for it, or what is known instead'),
    },
  }),
  dvr_consistency_check_finished: eventEntry({
    doc: 'The catalog of archives was compared with the disks, or made again from them.',
    level: 'notice',
    isEmitted: true,
    fields: {
      ...job,
      is_rebuilt: z.boolean().describe('whether the catalog was made again'),
      faults: z.number().int().describe('how many blocks did not fit, or were damaged'),
    },
  }),
} as const satisfies EventTable;

const alarm = {
  media: media.nullable().describe('name of the stream, null for an alarm of the server'),
  alarm: z.string().describe('kind of the alarm'),
  severity: z.enum(['info', 'major', 'critical']).describe('how bad it is'),
  id: z.string().describe('id of the alarm, as in the list of alarms'),
} as const;

/** Events of alarms. */
export const ALARM_EVENTS = {
  alarm_raised: eventEntry({
    doc: 'A condition that needs an operator began.',
    level: 'alert',
    isEmitted: true,
    fields: {
      ...alarm,
      detail,
      fault: z.string().nullable().describe('what is wrong, for programs, as in the list of alarms'),
      facts: alarmFactsSchema.describe('the values in `detail` by their names, as in the list of alarms'),
    },
  }),
  alarm_acknowledged: eventEntry({
    doc: 'An alarm was acknowledged.',
    level: 'notice',
    isEmitted: true,
    fields: {
      ...alarm,
      by: z.string().nullable().describe('login of the operator'),
      note: z.string().nullable().describe('what they wrote'),
    },
  }),
  alarm_cleared: eventEntry({
    doc: 'The condition of an alarm ended.',
    level: 'notice',
    isEmitted: true,
    fields: alarm,
  }),
  audio_silence_detected: eventEntry({
    doc: 'The sound of a stream is silent.',
    level: 'warn',
    isEmitted: false,
    fields: { media, duration_ms: z.number().int().describe('for how long, in milliseconds') },
  }),
} as const satisfies EventTable;

/** Events of the HTTP APIs. */
export const API_EVENTS = {
  api_call: eventEntry({
    doc: 'Something was changed through an HTTP API or the desk, or the change was refused (`status` from 400 to 499).',
    level: 'info',
    isEmitted: true,
    fields: {
      method: z.string().describe('method of HTTP, or `CALL` for a call of the desk'),
      path: z.string().describe('address without its query, or name of the call'),
      target: z
        .string()
        .nullable()
        .describe(
          'names of what a call of the desk acts on: streams, a wall, a file; the type of a change of subscribers; null without one and over HTTP',
        ),
      status: z.number().int().describe('status of the answer; for calls of the desk that of the error, or 200'),
      user: z.string().nullable().describe('login, null without one'),
      ip: z.string().nullable().describe('address of the caller, null for the window of the server'),
      user_agent: userAgent,
      duration_ms: z.number().describe('how long it took, in milliseconds'),
      trace_id: z.string().nullable().describe('what the caller gave as `X-Trace-Id`'),
      count: refusalCount,
    },
  }),
  login_accepted: eventEntry({
    doc: 'A login was used from an address, for the first time since the start or for half an hour.',
    level: 'info',
    isEmitted: true,
    fields: { ip, user: z.string().describe('login') },
  }),
  auth_failed: eventEntry({
    doc: 'Login or password of an HTTP API were wrong.',
    level: 'warn',
    isEmitted: true,
    fields: {
      ip,
      user: z
        .string()
        .nullable()
        .describe(
          'login, where it is one of the configuration; null for others, which may be passwords in the wrong field',
        ),
      is_slowed: z.boolean().describe('whether the address has to wait because there were too many'),
      count: refusalCount,
    },
  }),
  portal_key_refused: eventEntry({
    doc: 'A request for subscribers or their log had a wrong key; reported at most once a minute for each address and portal.',
    level: 'warn',
    isEmitted: true,
    fields: {
      ip,
      portal: z
        .string()
        .nullable()
        .describe('id of the portal, for a key that was replaced or whose portal is switched off; null for others'),
      is_slowed: z.boolean().describe('whether the address has to wait because there were too many'),
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;

/** Events of the delivery of events. */
export const SINK_EVENTS = {
  events_dropped: eventEntry({
    doc: 'Events could not be kept for a sink; reported at most once a minute for each sink.',
    level: 'error',
    isEmitted: true,
    fields: {
      sink: sink.nullable().describe('name of the event sink, null for all of them'),
      reason: z
        .enum(['too_fast', 'queue_full', 'disk_failed', 'limit', 'too_large'])
        .describe('why; after `limit` and `too_large` they lie in the dead letters of the sink'),
      count: z.number().int().describe('how many since the last time'),
    },
  }),
  event_sink_test: eventEntry({
    doc: 'An operator tests a sink: this event goes to that sink alone.',
    level: 'info',
    isEmitted: true,
    fields: { sink, who: z.string().describe('who tests it') },
  }),
  event_sink_disabled: eventEntry({
    doc: 'A sink said that it is gone for good (410): nothing is sent until its settings change or the server starts again. Its events wait.',
    level: 'error',
    isEmitted: true,
    fields: { sink, code, detail },
  }),
} as const satisfies EventTable;
