import { z } from 'zod';
import { alarmFactsSchema } from '../api/alarm-words.ts';
import { COMMON_EVENT_FIELDS, type EventEntry } from './event-entry.ts';
import {
  ALARM_EVENTS,
  API_EVENTS,
  ARCHIVE_EVENTS,
  CONFIG_EVENTS,
  SERVER_EVENTS,
  SINK_EVENTS,
} from './server-events.ts';
import { AD_EVENTS, SESSION_EVENTS } from './session-events.ts';
import { INPUT_EVENTS, PUBLISHER_EVENTS, PUSH_EVENTS, STREAM_EVENTS } from './stream-events.ts';

/** The kinds of events in groups, as in the reference. */
export const EVENT_GROUPS = [
  { title: 'Server', entries: SERVER_EVENTS },
  { title: 'Streams', entries: STREAM_EVENTS },
  { title: 'Inputs', entries: INPUT_EVENTS },
  { title: 'Publishers', entries: PUBLISHER_EVENTS },
  { title: 'Sessions', entries: SESSION_EVENTS },
  { title: 'Advertisements', entries: AD_EVENTS },
  { title: 'Pushes', entries: PUSH_EVENTS },
  { title: 'Configuration', entries: CONFIG_EVENTS },
  { title: 'Archive', entries: ARCHIVE_EVENTS },
  { title: 'Alarms', entries: ALARM_EVENTS },
  { title: 'API calls', entries: API_EVENTS },
  { title: 'Delivery of events', entries: SINK_EVENTS },
] as const;

/** Every kind of event, by its name. Names are never changed. */
export const EVENTS = {
  ...SERVER_EVENTS,
  ...STREAM_EVENTS,
  ...INPUT_EVENTS,
  ...PUBLISHER_EVENTS,
  ...SESSION_EVENTS,
  ...AD_EVENTS,
  ...PUSH_EVENTS,
  ...CONFIG_EVENTS,
  ...ARCHIVE_EVENTS,
  ...ALARM_EVENTS,
  ...API_EVENTS,
  ...SINK_EVENTS,
} as const;

/** Name of a kind of event. */
export type EventKind = keyof typeof EVENTS;

/** What an event of a kind says besides the common fields. */
export type EventFields<K extends EventKind> = z.infer<z.ZodObject<(typeof EVENTS)[K]['fields']>>;

// The keys of the catalogue are its key type.
const KINDS = Object.keys(EVENTS) as [EventKind, ...EventKind[]];

/** An event of any kind, as it is sent: the common fields, and those of its kind beside them. */
export const serverEventSchema = z
  .object({
    event: z.enum(KINDS),
    ...COMMON_EVENT_FIELDS,
    media: z.string().nullable().optional().describe('name of the stream, where the event is about one'),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null(), alarmFactsSchema]));
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** The schema of events of one kind. */
export function eventSchemaOf(kind: EventKind): z.ZodObject {
  return z.strictObject({ event: z.literal(kind), ...COMMON_EVENT_FIELDS, ...EVENTS[kind].fields });
}

const ENTRIES: Readonly<Record<string, EventEntry>> = EVENTS;

/** All names that filters know a kind by: its own, and those that other servers use. */
export function eventNames(kind: string): readonly string[] {
  return [kind, ...((Object.hasOwn(ENTRIES, kind) ? ENTRIES[kind]?.aliases : undefined) ?? [])];
}
