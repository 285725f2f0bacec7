/** Default validity of an answer without X-AuthDuration, in milliseconds. */
export const DEFAULT_AUTH_MS = 180_000;
/** Limits of X-AuthDuration, in milliseconds. */
const MIN_AUTH_MS = 1000;
const MAX_AUTH_MS = 7 * 86_400_000;
const MAX_SESSIONS = 1_000_000;
const MAX_USER_ID_LENGTH = 500;
const MAX_LOCATION_LENGTH = 4000;

/** Answer of a backend. */
export interface RawAnswer {
  readonly status: number;
  /** Value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** Parsed answer of a backend. */
export type Verdict =
  | {
      readonly kind: 'allow';
      readonly durationMs: number;
      readonly userId: string | null;
      readonly maxSessions: number | null;
      /**
       * True if null in `maxSessions` removes an earlier limit. Default false: the answer does not
       * mention a limit.
       */
      readonly isLimitKnown?: boolean;
      readonly adInject: unknown;
    }
  | { readonly kind: 'deny'; readonly durationMs: number; readonly reason: string }
  | { readonly kind: 'redirect'; readonly durationMs: number; readonly location: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Parses the answer of a backend: 2xx admits, 3xx redirects, 4xx refuses, and anything else counts as no answer.
 * Headers override the fields of a JSON body. Invalid values are ignored.
 */
export function readAnswer({ status, header, body }: RawAnswer): Verdict {
  const fields = readBody(body);
  const durationMs = duration(header('x-authduration') ?? fields['auth_duration']);
  if (status >= 200 && status < 300) {
    const isUnique = isTrue(header('x-unique') ?? fields['unique']);
    return {
      kind: 'allow',
      durationMs,
      userId: text(header('x-userid') ?? fields['user_id']),
      maxSessions: isUnique ? 1 : count(header('x-max-sessions') ?? fields['max_sessions']),
      adInject: fields['ad_inject'],
    };
  }
  if (status >= 300 && status < 400) {
    const location = header('location') ?? '';
    if (isLocation(location)) return { kind: 'redirect', durationMs, location };
    return { kind: 'failed', reason: `it answered ${status} without a usable address` };
  }
  if (status >= 400 && status < 500) return { kind: 'deny', durationMs, reason: `the backend answered ${status}` };
  return { kind: 'failed', reason: `it answered ${status}` };
}

function readBody(body: string): Readonly<Record<string, unknown>> {
  if (!/^\s*\{/.test(body)) return {};
  try {
    const value: unknown = JSON.parse(body);
    // Text that starts with a brace and parses as JSON is an object.
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function duration(value: unknown): number {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return DEFAULT_AUTH_MS;
  return Math.min(MAX_AUTH_MS, Math.max(MIN_AUTH_MS, seconds * 1000));
}

function count(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*\d{1,7}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_SESSIONS ? number : null;
}

function text(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : value;
  return typeof id === 'string' && id !== '' && id.length <= MAX_USER_ID_LENGTH ? id : null;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^\s*(true|1|yes)\s*$/i.test(value));
}

function isLocation(location: string): boolean {
  return (
    location !== '' &&
    location.length <= MAX_LOCATION_LENGTH &&
    /^(https?:\/\/[^\s/]|\/|\.)[\x21-\x7e]*$/i.test(location)
  );
}
