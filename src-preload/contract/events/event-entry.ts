import { z } from 'zod';

/** How much an event matters, from least to most. */
export const EVENT_LEVELS = ['debug', 'info', 'notice', 'warn', 'error', 'alert'] as const;
/** How much an event matters. */
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** One kind of event. */
export interface EventEntry<F extends z.ZodRawShape = z.ZodRawShape> {
  /** When it happens, in a sentence. */
  readonly doc: string;
  readonly level: EventLevel;
  /** Whether this version emits it. The others are reserved for what is planned. */
  readonly isEmitted: boolean;
  /** Other names that filters know it by. */
  readonly aliases?: readonly string[];
  /** What it says besides the common fields: texts, numbers, flags and null. */
  readonly fields: F;
}

/** Kinds of events by their name. */
export type EventTable = Readonly<Record<string, EventEntry>>;

/** A kind of event as it is written in the catalogue; keeps the types of its fields. */
export function eventEntry<const F extends z.ZodRawShape>(entry: EventEntry<F>): EventEntry<F> {
  return entry;
}

/** What every event says. */
export const COMMON_EVENT_FIELDS = {
  event_id: z
    .number()
    .int()
    .nonnegative()
    .describe(
      'number of the event; grows from event to event, over restarts too. Deliveries that come twice have the same one',
    ),
  utc_ms: z.number().int().nonnegative().describe('when it happened, in epoch milliseconds'),
  server: z.string().describe('host name of the server'),
} as const;

/** Name of the stream that an event is about. */
export const media = z.string().describe('name of the stream');
/** Code of the error catalogue. */
export const code = z.string().nullable().describe('code of the error catalogue (see errors.md), null without one');
/** What went wrong in words. */
export const detail = z.string().nullable().describe('what happened, in words; for people, not for programs');
/** Address of the other side. */
export const ip = z.string().describe('address of the other side');
/** How often it came again from the same address within ten seconds. */
export const refusalCount = z
  .number()
  .int()
  .optional()
  .describe(
    'how many more of the same there were within ten seconds, of which this is the last; absent for the first, which is sent at once',
  );
/** Name that the program of the other side gives itself. */
export const userAgent = z.string().nullable().describe('what the program of the other side calls itself');
