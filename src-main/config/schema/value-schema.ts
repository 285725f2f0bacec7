import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { streamNameSchema } from '../../../src-preload/contract/api/streams.ts';
import { maskAddress } from './secrets.ts';

/**
 * Schema that converts one argument of a directive to a value. If the argument is wrong, its only issue names the expected
 * form.
 */
export type ValueSchema<T> = z.ZodType<T, string>;

/** Value in JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Whether JSON is an object: neither null nor a list. */
export function isObject(json: JsonValue | undefined): json is Readonly<Record<string, JsonValue>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Facts about the values of a schema. */
interface ValueFacts<T> {
  /** Converts a value to JSON; absent if it stays unchanged. */
  readonly toJson?: (value: T) => JsonValue;
  /** Type in JSON; default: a text. */
  readonly type?: z.ZodType;
  /** Possible words, if there is a list. */
  readonly choices?: readonly string[];
  /** Unit of a number that is written without one. */
  readonly unit?: string;
}

const FACTS = new WeakMap<z.ZodType, ValueFacts<unknown>>();

/** Value schema from a function that returns undefined for a wrong text. */
export function valueSchema<T>(
  expected: Explained,
  read: (text: string) => T | undefined,
  facts: ValueFacts<T> = {},
): ValueSchema<T> {
  const schema = z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: expected.detail, params: expected });
    return z.NEVER;
  });
  // The schema returns only T.
  FACTS.set(schema, facts as ValueFacts<unknown>);
  return schema;
}

/** Issue of a value schema. `params` has the expected form. */
export interface ValueIssue {
  readonly message: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export function expectedForm({ message, params }: ValueIssue): Explained {
  // Only `valueSchema` adds params.
  return { detail: message, explanation: params?.['explanation'] as Explained['explanation'] };
}

/** Expected form that the first issue of a refused value names. */
export function formExpectedBy({ issues: [issue] }: z.ZodError): Explained {
  return issue ? expectedForm(issue) : because('value_identifier');
}

export function jsonForm(schema: z.ZodType): (value: unknown) => JsonValue {
  return FACTS.get(schema)?.toJson ?? plainJson;
}

/** Value without a conversion: a string, number, boolean or null. Strings are masked, because any of them may be an address. */
function plainJson(value: unknown): JsonValue {
  return typeof value === 'string' ? maskAddress(value) : (value as JsonValue);
}

/** Type of a schema's values in JSON. */
export function jsonTypeOf(schema: z.ZodType = z.string()): z.ZodType {
  const { type, choices } = FACTS.get(schema) ?? {};
  return type ?? (choices ? z.enum(choices) : z.string());
}

/** Possible words of a schema's values, also with a default or in lists; empty if there is no list. */
export function choicesOf(schema: z.ZodType): readonly string[] {
  const choices = FACTS.get(schema)?.choices;
  if (choices) return choices;
  const { def } = schema;
  const inner = 'innerType' in def ? def.innerType : 'element' in def ? def.element : undefined;
  return inner instanceof z.ZodType ? choicesOf(inner) : [];
}

/** Unit of a number that is written without one; undefined if there is none. */
export function unitOf(schema: z.ZodType): string | undefined {
  return FACTS.get(schema)?.unit;
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/;

/** Duration in milliseconds. `unit` is the unit of a number without one, in the text and in JSON. */
export function durationSchema(unit: 'ms' | 's', minMs: number, maxMs: number): ValueSchema<number> {
  return valueSchema(
    because(unit === 's' ? 'value_time_s' : 'value_time_ms', { min: printDuration(minMs), max: printDuration(maxMs) }),
    (text) => {
      const match = DURATION.exec(text);
      if (!match?.[1]) return undefined;
      const ms = Math.round(Number(match[1]) * (MS_OF_UNIT[match[2] ?? unit] ?? 1));
      return ms >= minMs && ms <= maxMs ? ms : undefined;
    },
    unit === 's'
      ? { toJson: (ms) => ms / 1000, type: z.number(), unit: 'seconds' }
      : { type: z.number(), unit: 'milliseconds' },
  );
}

/** Duration, printed in the largest unit that needs no fraction. */
export function printDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const size = MS_OF_UNIT[unit] ?? 1;
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}

const INTEGER = { type: z.number().int() };

/** Whole number in a range. */
export function integerSchema(min: number, max: number): ValueSchema<number> {
  const read = (text: string): number | undefined => {
    const value = /^-?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value >= min && value <= max ? value : undefined;
  };
  return valueSchema(because('value_integer', { min: String(min), max: String(max) }), read, INTEGER);
}

/** Whole number, or `unlimited` as null. */
export function limitSchema(max: number): ValueSchema<number | null> {
  const read = (text: string): number | null | undefined => {
    if (text === 'unlimited') return null;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value <= max ? value : undefined;
  };
  return valueSchema(because('value_limit', { max: String(max) }), read, INTEGER);
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

export const flagSchema = valueSchema(
  because('value_flag'),
  (text) => (Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined),
  { type: z.boolean(), choices: ['true', 'false'] },
);

/** Text for people, without control characters. */
export function textSchema(maxLength: number): ValueSchema<string> {
  return valueSchema(because('value_text', { limit: maxLength }), (text) =>
    text.length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed() ? text : undefined,
  );
}

/** Name of a stream, a template or a live prefix. */
export const nameSchema = valueSchema(because('value_stream_name'), (text) =>
  streamNameSchema.safeParse(text).success ? text : undefined,
);

/** Address of an input: a scheme and the rest. An unsupported scheme is reported only when the input starts. */
export const inputUrlSchema = valueSchema(
  because('value_input'),
  (text) =>
    text.length <= 2000 && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/[\p{Cc}\s]/u.test(text) && text.isWellFormed()
      ? text
      : undefined,
  { toJson: maskAddress },
);

/** Address of a listener. `host` is null for all addresses of the machine; with port 0, the system chooses a port. */
export interface Listener {
  readonly host: string | null;
  readonly port: number;
}

const HOST_AND_PORT = /^(?:(\*|[0-9A-Za-z](?:[0-9A-Za-z.-]{0,252})|\[[0-9a-fA-F:.]{2,45}\]):)?([0-9]{1,5})$/;

export const listenerSchema = valueSchema(
  because('value_listener'),
  (text): Listener | undefined => {
    const match = HOST_AND_PORT.exec(text);
    const port = Number(match?.[2] ?? Number.NaN);
    if (!match || !(port <= 65_535)) return undefined;
    const host = match[1];
    if (host === undefined || host === '*') return { host: null, port };
    if (!host.startsWith('[')) return { host, port };
    return isIPv6(host.slice(1, -1)) ? { host: host.slice(1, -1), port } : undefined;
  },
  { toJson: listenerJson },
);

/** Listener as JSON: only the port if it is for all addresses. */
function listenerJson(listener: Listener): JsonValue {
  return listener.host === null ? listener.port : printListener(listener);
}

/** Listener in the syntax of the configuration. */
export function printListener({ host, port }: Listener): string {
  if (host === null) return String(port);
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
