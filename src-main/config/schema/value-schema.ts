import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { streamNameSchema } from '../../../src-preload/contract/streams.ts';
import { maskAddress } from './secrets.ts';

/** How one argument of a directive becomes a value. The message of its one issue says what is expected. */
export type ValueSchema<T> = z.ZodType<T, string>;

/** A value as it stands in JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** How the values of a schema stand in JSON, where not as they are. */
const JSON_FORMS = new WeakMap<z.ZodType, (value: unknown) => JsonValue>();

/** A value schema from a function that gives undefined for what does not fit. @param toJson how a value stands in JSON; as it is without it */
export function valueSchema<T>(
  expected: string,
  read: (text: string) => T | undefined,
  toJson?: (value: T) => JsonValue,
): ValueSchema<T> {
  const schema = z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
  // The schema gives nothing but T.
  if (toJson) JSON_FORMS.set(schema, toJson as (value: unknown) => JsonValue);
  return schema;
}

/** How values of a schema stand in JSON. */
export function jsonForm(schema: z.ZodType): (value: unknown) => JsonValue {
  return JSON_FORMS.get(schema) ?? plainJson;
}

/** Without a form of their own, values are strings, numbers, booleans or null. Any text may be an address. */
function plainJson(value: unknown): JsonValue {
  return typeof value === 'string' ? maskAddress(value) : (value as JsonValue);
}

/** The words that values of a schema may have, where there is a list of them. */
const CHOICES = new WeakMap<z.ZodType, readonly string[]>();

/** A value schema with the list of the words that people choose from. */
export function withChoices<T>(schema: ValueSchema<T>, choices: readonly string[]): ValueSchema<T> {
  CHOICES.set(schema, choices);
  return schema;
}

/** The words that values may have, also of a schema with a default and of lists; empty where there is no list of them. */
export function choicesOf(schema: z.ZodType): readonly string[] {
  const known = CHOICES.get(schema);
  if (known) return known;
  const { def } = schema;
  const inner = 'innerType' in def ? def.innerType : 'element' in def ? def.element : undefined;
  return inner instanceof z.ZodType ? choicesOf(inner) : [];
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/;

/** A span of time in milliseconds. `unit` is meant where none is written, and is that of the number in JSON. */
export function durationSchema(unit: 'ms' | 's', minMs: number, maxMs: number): ValueSchema<number> {
  return valueSchema(
    `a time from ${printDuration(minMs)} to ${printDuration(maxMs)}, such as ${unit === 's' ? '2, 2s or 500ms' : '500, 500ms or 0.5s'}`,
    (text) => {
      const match = DURATION.exec(text);
      if (!match?.[1]) return undefined;
      const ms = Math.round(Number(match[1]) * (MS_OF_UNIT[match[2] ?? unit] ?? 1));
      return ms >= minMs && ms <= maxMs ? ms : undefined;
    },
    (ms) => (unit === 's' ? ms / 1000 : ms),
  );
}

/** A span of time in the largest unit that needs no fraction. */
export function printDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const size = MS_OF_UNIT[unit] ?? 1;
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}

/** A whole number within bounds. */
export function integerSchema(min: number, max: number): ValueSchema<number> {
  return valueSchema(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^-?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value >= min && value <= max ? value : undefined;
  });
}

/** A whole number, or `unlimited` as null. */
export function limitSchema(max: number): ValueSchema<number | null> {
  return valueSchema(`a whole number from 0 to ${max}, or unlimited`, (text) => {
    if (text === 'unlimited') return null;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value <= max ? value : undefined;
  });
}

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  1: true,
  false: false,
  off: false,
  no: false,
  0: false,
};

/** Yes or no. */
export const flagSchema = withChoices(
  valueSchema('true or false (also on, off, yes, no)', (text) =>
    Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined,
  ),
  ['true', 'false'],
);

/** Words for people, without control characters. */
export function textSchema(maxLength: number): ValueSchema<string> {
  return valueSchema(`a text of at most ${maxLength} characters without control characters`, (text) =>
    text.length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed() ? text : undefined,
  );
}

/** Name of a stream, a template or a live prefix. */
export const nameSchema = valueSchema(
  'a name of letters, digits and . _ - ~ @ +, in segments parted by /, at most 200 characters, and not under an address of the server such as mediaserver',
  (text) => (streamNameSchema.safeParse(text).success ? text : undefined),
);

/** Address of an input: a scheme and what it needs. Whether the scheme is one that Airdesk reads shows when the input starts. */
export const inputUrlSchema = valueSchema(
  'an address such as udp://239.0.0.1:1234, file:///media/loop.ts or publish://',
  (text) =>
    text.length <= 2000 && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/[\p{Cc}\s]/u.test(text) && text.isWellFormed()
      ? text
      : undefined,
  maskAddress,
);

/** Where a server listens; `host` is null for all addresses of the machine, port 0 lets the system choose. */
export interface Listener {
  readonly host: string | null;
  readonly port: number;
}

const HOST_AND_PORT = /^(?:(\*|[0-9A-Za-z](?:[0-9A-Za-z.-]{0,252})|\[[0-9a-fA-F:.]{2,45}\]):)?([0-9]{1,5})$/;

/** `[host:]port`. */
export const listenerSchema = valueSchema(
  'a port, or host:port, such as 8080, 127.0.0.1:8080 or [::1]:8080',
  (text): Listener | undefined => {
    const match = HOST_AND_PORT.exec(text);
    const port = Number(match?.[2] ?? Number.NaN);
    if (!match || !(port <= 65_535)) return undefined;
    const host = match[1];
    if (host === undefined || host === '*') return { host: null, port };
    if (!host.startsWith('[')) return { host, port };
    return isIPv6(host.slice(1, -1)) ? { host: host.slice(1, -1), port } : undefined;
  },
  listenerJson,
);

/** A listener as JSON: the port alone where it is for all addresses. */
function listenerJson(listener: Listener): JsonValue {
  return listener.host === null ? listener.port : printListener(listener);
}

/** A listener as it is written. */
export function printListener({ host, port }: Listener): string {
  if (host === null) return String(port);
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
