import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { z } from 'zod';
import { maskAddress } from './secrets.ts';
import { jsonForm, valueSchema, type JsonValue, type ValueSchema } from './value-schema.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const SIZE = /^([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMGT]?)B?$/i;

/** Pattern of a size, which distinguishes it from other words. */
export const SIZE_PATTERN = /^[0-9.]+([KMGT]B?|B)$/i;
/** Pattern of a percentage. */
export const PERCENT_PATTERN = /^[0-9.]+%$/;
export const TIME_PATTERN = /^[0-9.]+(ms|s|m|h|d)?$/;

/** Number of bytes, such as `500G` (1G is 1 000 000 000). */
export const sizeSchema: ValueSchema<number> = valueSchema(
  because('value_size'),
  (text) => {
    const match = SIZE.exec(text);
    if (!match?.[1]) return undefined;
    const bytes = Math.round(Number(match[1]) * (UNITS[(match[2] ?? '').toUpperCase()] ?? 1));
    return Number.isSafeInteger(bytes) ? bytes : undefined;
  },
  { type: z.number().int(), unit: 'bytes' },
);

/** Percentage from 1 to 100, with or without `%`. */
export const percentSchema: ValueSchema<number> = valueSchema(
  because('value_percent'),
  (text) => {
    const value = /^[0-9]{1,3}%?$/.test(text) ? Number.parseInt(text, 10) : 0;
    return value >= 1 && value <= 100 ? value : undefined;
  },
  { type: z.number().int() },
);

/** Path, absolute or relative. */
export const pathSchema: ValueSchema<string> = valueSchema(because('value_path'), (text) =>
  isPlain(text, 4096) ? text : undefined,
);

/** Path, or an address such as `s3://…`. */
export const placeSchema: ValueSchema<string> = valueSchema(
  because('value_place'),
  (text) => (isPlain(text, 4096) ? text : undefined),
  { toJson: maskAddress },
);

/** Whether a place is a folder of this machine. Files are read from such folders only. */
export function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

/** Whether an address is supported for event sinks. */
export function isSinkAddress(url: string): boolean {
  return /^(https?|log|jsonlog):\/\/./i.test(url);
}

/** Whether a backend is supported. Scripts are not executed, so they are not supported. */
export function isSupportedBackend(place: string): boolean {
  return !/^(?!https?:).*\.lua$/i.test(place);
}

/** Address for requests. */
export const httpUrlSchema: ValueSchema<string> = valueSchema(
  because('value_http'),
  (text) => (isPlain(text, 2000) && /^https?:\/\/[^/?#\s]+/i.test(text) && URL.canParse(text) ? text : undefined),
  { toJson: maskAddress },
);

/** Source of answers: an address, or a file with the answer. */
const answerPlaceSchema: ValueSchema<string> = valueSchema(
  because('value_answer_place'),
  (text) => {
    if (!isPlain(text, 2000)) return undefined;
    return (/^https?:/i.test(text) ? httpUrlSchema.safeParse(text).success : /^(file:\/\/)?[\w./~@-]+$/.test(text))
      ? text
      : undefined;
  },
  { toJson: maskAddress },
);

const BACKEND_OR_NONE = {
  toJson: (value: string | false) => (value === false ? false : maskAddress(value)),
  type: z.union([z.string(), z.literal(false)]),
};

/** Authorization backend: an address, a file with the answer, the name of a backend, or `false` for none. */
export const backendSchema: ValueSchema<string | false> = valueSchema(
  because('value_backend'),
  (text) => {
    if (text === 'false') return false;
    // `true` has no meaning here, and as a path it would not exist.
    if (text === 'true') return undefined;
    return /^auth:\/\/[\w.-]+$/.test(text) ? text : answerPlaceSchema.safeParse(text).data;
  },
  BACKEND_OR_NONE,
);

/** Backend as for `backendSchema`, or a portal of this server by its name or id. */
export const playBackendSchema: ValueSchema<string | false> = valueSchema(
  because('value_play_backend'),
  (text) => (isPortalPlace(text) ? text : backendSchema.safeParse(text).data),
  BACKEND_OR_NONE,
);

/** Place as for `answerPlaceSchema`, or a portal of this server by its name or id. */
export const namedBackendSchema: ValueSchema<string> = valueSchema(
  because('value_named_backend'),
  (text) => (isPortalPlace(text) ? text : answerPlaceSchema.safeParse(text).data),
  { toJson: maskAddress },
);

function isPortalPlace(text: string): boolean {
  return /^subscribers:\/\/[^\s/?#]{1,200}$/.test(text) && isPlain(text, 220);
}

/** Address with one of the schemes. */
export function urlSchema(schemes: readonly string[], example: string): ValueSchema<string> {
  return valueSchema(
    because('value_address', { example }),
    (text) => {
      const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
      return scheme !== undefined && schemes.includes(scheme) && isPlain(text, 2000) && !/\s/.test(text)
        ? text
        : undefined;
    },
    { toJson: maskAddress },
  );
}

export function choiceSchema<const T extends string>(choices: readonly T[]): ValueSchema<T> {
  const expected = because('value_choice', { choices: choices.slice(0, -1).join(', '), last: choices.at(-1) ?? '' });
  return valueSchema(expected, (text) => choices.find((choice) => choice === text), { choices });
}

/** Name of letters, digits, `_`, `-` and `.`, for parameters, storages and caches. */
export const identifierSchema: ValueSchema<string> = valueSchema(because('value_identifier'), (text) =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u.test(text) ? text : undefined,
);

/** Words separated by commas, in one value. */
export function commaListSchema<T extends string | number>(
  item: ValueSchema<T>,
  expected: Explained,
): ValueSchema<readonly T[]> {
  return valueSchema<readonly T[]>(
    because('value_list', { expected }),
    (text) => {
      const items = text.split(',').map((part) => item.safeParse(part.trim()));
      return items.every((part) => part.success) ? items.map((part) => part.data) : undefined;
    },
    { toJson: (list) => list.map(jsonForm(item)), type: z.array(z.string()) },
  );
}

/** Country by its two letters (ISO 3166-1). */
export const countrySchema: ValueSchema<string> = valueSchema(because('value_country'), (text) =>
  /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined,
);

/** IP address or network, such as `192.0.2.0/24`. */
export const networkSchema: ValueSchema<string> = valueSchema(because('value_network'), (text) => {
  const match = /^([0-9a-fA-F:.]+)(?:\/([0-9]{1,3}))?$/.exec(text);
  const address = match?.[1] ?? '';
  const isV6 = address.includes(':');
  if (
    !URL.canParse(isV6 ? `http://[${address}]/` : `http://${address}/`) ||
    (!isV6 && !/^\d{1,3}(\.\d{1,3}){3}$/.test(address))
  )
    return undefined;
  return match?.[2] === undefined || Number(match[2]) <= (isV6 ? 128 : 32) ? text : undefined;
});

/** Host name without a port. */
export const hostNameSchema: ValueSchema<string> = valueSchema(because('value_host'), (text) =>
  /^(?=.{1,253}$)[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?(\.[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?)*$/u.test(
    text,
  )
    ? text.toLowerCase()
    : undefined,
);

/** Origin as browsers write it (RFC 6454 section 6.2): scheme, host and a port other than the default. */
export const originSchema: ValueSchema<string> = valueSchema(because('value_origin'), (text) => {
  if (!/^https?:\/\/[^/?#@\s]{1,300}$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin === 'null' ? undefined : origin;
});

/** Range of the day, `hhmm-hhmm`, as two numbers. */
export const dayTimeSchema: ValueSchema<readonly [from: number, to: number]> = valueSchema(
  because('value_day_time'),
  (text) => {
    const match = /^([01][0-9]|2[0-3])([0-5][0-9])-([01][0-9]|2[0-3])([0-5][0-9])$/.exec(text);
    return match ? ([Number(text.slice(0, 4)), Number(text.slice(5))] as const) : undefined;
  },
  { toJson: (pair) => [...pair], type: z.array(z.number().int()) },
);

/** Word of a range of the day in JSON: `[800, 1800]` is `0800-1800`. Other values stay. */
export function dayTimeWord(json: JsonValue): JsonValue {
  return Array.isArray(json) ? json.map((time) => String(time).padStart(4, '0')).join('-') : json;
}

function isPlain(text: string, maxLength: number): boolean {
  return text !== '' && text.length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Content after the clips of a break: `repeat`, `programme`, or a file of a VOD location. */
export const breakFillSchema: ValueSchema<string> = valueSchema(because('value_break_fill'), (text) =>
  text === 'repeat' || text === 'programme' || (isPlain(text, 1000) && /^[^/:]+\/./.test(text)) ? text : undefined,
);
