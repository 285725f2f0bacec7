import { type AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';

/** Maximum nesting of a JSON body, so that functions may read it recursively. */
const MAX_DEPTH = 64;
/** Number of characters that are parsed in one step, which takes far less than a millisecond. */
export const JSON_STEP_CHARS = 32_768;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const COLON = /^[ \t\n\r]*:[ \t\n\r]*$/;

/** Array, object or string that is too long for one step. */
interface LongValue {
  readonly from: number;
  readonly to: number;
  /**
   * Offsets at which the value can be cut: commas between members, or characters of a string. A long member is a separate
   * portion.
   */
  readonly cuts: readonly number[];
  readonly inner: readonly LongValue[];
}

/** Array or object that is still open during the scan. */
interface OpenValue {
  readonly from: number;
  lastComma: number;
  lastCut: number;
  cuts?: number[];
  inner?: LongValue[];
}

/**
 * Parses JSON (RFC 8259) of any length in steps: long values are cut between their members, and each portion is parsed
 * separately. The result equals that of `JSON.parse`. Raises `bad_request` for invalid JSON and for too deep nesting.
 */
export function* parseJsonInSteps(text: string): Generator<void, unknown> {
  const long = yield* findLongValue(text);
  if (!long) return parsePortion(text, 0, text.length, '', '');
  requireBlank(text, 0, long.from);
  requireBlank(text, long.to, text.length);
  return yield* readLongValue(text, long);
}

/** Scans the text for long values. Brackets in strings do not count. */
function* findLongValue(text: string): Generator<void, LongValue | undefined> {
  const root: OpenValue = { from: 0, lastComma: -1, lastCut: -1 };
  const open = [root];
  let value = root;
  let pauseAt = JSON_STEP_CHARS;
  for (let index = 0; index < text.length; index++) {
    if (index >= pauseAt) {
      pauseAt = index + JSON_STEP_CHARS;
      yield;
    }
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfShortString(text, index);
      if (end === undefined) {
        const string = yield* scanLongString(text, index);
        addLong(value, string);
        index = string.to - 1;
      } else index = end - 1;
    } else if (code === COMMA) {
      if (index - value.lastCut > JSON_STEP_CHARS) {
        cut(value, index);
      }
      value.lastComma = index;
    } else if (code === BRACKET || code === BRACE) {
      if (open.length > MAX_DEPTH)
        throw badParameter('request_body', `The body is nested deeper than ${MAX_DEPTH} levels`, 'bad_request');
      value = { from: index, lastComma: index, lastCut: index };
      open.push(value);
    } else if ((code === BRACKET_END || code === BRACE_END) && open.length > 1) {
      const { from, cuts = [], inner = [] } = value;
      open.pop();
      value = open.at(-1) ?? root;
      if (index - from > JSON_STEP_CHARS) addLong(value, { from, to: index + 1, cuts, inner });
    }
  }
  if (open.length > 1 && text.length > JSON_STEP_CHARS)
    throw notJson(value.from, text.length, 'a bracket is not closed');
  return root.inner?.[0];
}

/** Separates a long member from the earlier members. The next comma separates it from the later ones. */
function addLong(value: OpenValue, member: LongValue): void {
  if (value.lastComma > value.lastCut) cut(value, value.lastComma);
  (value.inner ??= []).push(member);
}

function cut(value: OpenValue, at: number): void {
  (value.cuts ??= []).push(at);
  value.lastCut = at;
}

/** End of a string that is short enough for one step; undefined for a long or unterminated string. */
function endOfShortString(text: string, from: number): number | undefined {
  const end = Math.min(text.length, from + JSON_STEP_CHARS);
  for (let index = from + 1; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code === BACKSLASH) index++;
  }
  return undefined;
}

/** Finds the cuts of a long string, never inside an escape sequence. */
function* scanLongString(text: string, from: number): Generator<void, LongValue> {
  const cuts: number[] = [];
  let lastCut = from;
  for (let index = from + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return { from, to: index + 1, cuts, inner: [] };
    if (index - lastCut > JSON_STEP_CHARS) {
      cuts.push(index);
      lastCut = index;
      yield;
    }
    if (code === BACKSLASH) index += text[index + 1] === 'u' ? 5 : 1;
  }
  throw notJson(from, text.length, 'a string is not closed');
}

function* readLongValue(text: string, value: LongValue): Generator<void, unknown> {
  const kind = text.charAt(value.from);
  if (kind === '"') return yield* readString(text, value);
  if (text[value.to - 1] !== (kind === '[' ? ']' : '}')) throw notJson(value.from, value.to, 'a bracket is not closed');
  return kind === '[' ? yield* readArray(text, value) : yield* readObject(text, value);
}

function* readString(text: string, { from, to, cuts }: LongValue): Generator<void, string> {
  const parts: unknown[] = [];
  for (const [at, end] of portions(from + 1, to - 1, cuts, 0)) {
    parts.push(parsePortion(text, at, end, '"', '"'));
    yield;
  }
  return parts.join('');
}

function* readArray(text: string, { from, to, cuts, inner }: LongValue): Generator<void, unknown[]> {
  const items: unknown[] = [];
  const left = [...inner].reverse();
  for (const [at, end] of portions(from + 1, to - 1, cuts, 1)) {
    const long = takeBefore(left, end);
    if (long) {
      requireBlank(text, at, long.from);
      requireBlank(text, long.to, end);
      items.push(yield* readLongValue(text, long));
    } else {
      // A text in brackets is parsed as an array.
      const some = parsePortion(text, at, end, '[', ']') as readonly unknown[];
      if (some.length === 0) throw notJson(at, end, 'a value is missing');
      for (const item of some) items.push(item);
    }
    yield;
  }
  return items;
}

function* readObject(text: string, { from, to, cuts, inner }: LongValue): Generator<void, Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  const left = [...inner].reverse();
  for (const [at, end] of portions(from + 1, to - 1, cuts, 1)) {
    const long = takeBefore(left, end);
    const some = long ? yield* readLongMember(text, at, end, long, takeBefore(left, end)) : parseMembers(text, at, end);
    // `__proto__` is defined as a property, because an assignment would set the prototype.
    for (const [key, value] of Object.entries(some))
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
    yield;
  }
  return object;
}

/** Reads the only member of a portion, whose name, value or both are long. */
function* readLongMember(
  text: string,
  from: number,
  to: number,
  first: LongValue,
  second: LongValue | undefined,
): Generator<void, Readonly<Record<string, unknown>>> {
  const isName = isBlank(text, from, first.from);
  if (!isName) {
    requireBlank(text, first.to, to);
    const [name = ''] = Object.keys(parsePortion(text, from, first.from, '{', 'null}') as object);
    return Object.fromEntries([[name, yield* readLongValue(text, first)]]);
  }
  if (text[first.from] !== '"') throw notJson(from, to, 'a name is missing');
  const name = yield* readString(text, first);
  if (!second) {
    const { x } = parsePortion(text, first.to, to, '{"x"', '}') as { readonly x: unknown };
    return Object.fromEntries([[name, x]]);
  }
  if (!COLON.test(text.slice(first.to, second.from))) throw notJson(first.to, second.from, 'a colon is missing');
  requireBlank(text, second.to, to);
  return Object.fromEntries([[name, yield* readLongValue(text, second)]]);
}

function parseMembers(text: string, from: number, to: number): Readonly<Record<string, unknown>> {
  // A text in braces is parsed as an object.
  const some = parsePortion(text, from, to, '{', '}') as Readonly<Record<string, unknown>>;
  if (Object.keys(some).length === 0) throw notJson(from, to, 'a member is missing');
  return some;
}

/** Ranges between cuts. @param gap number of characters that each cut removes */
function* portions(
  from: number,
  to: number,
  cuts: readonly number[],
  gap: number,
): Generator<readonly [number, number]> {
  let at = from;
  for (const cut of cuts) {
    yield [at, cut];
    at = cut + gap;
  }
  yield [at, to];
}

/** Returns and removes the next value if it starts before an offset. @param left remaining values in reverse order */
function takeBefore(left: LongValue[], end: number): LongValue | undefined {
  const next = left.at(-1);
  return next && next.from < end ? left.pop() : undefined;
}

function parsePortion(text: string, from: number, to: number, before: string, after: string): unknown {
  try {
    return JSON.parse(before + text.slice(from, to) + after) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'it has a syntax error';
    throw before === ''
      ? notJson(undefined, undefined, reason)
      : notJson(from, to, reason.replace(/ (at|in) .*$/s, ''));
  }
}

/** Whether a range contains only JSON white space, which has fewer characters than `trim` removes. */
function isBlank(text: string, from: number, to: number): boolean {
  return /^[ \t\n\r]*$/.test(text.slice(from, to));
}

function requireBlank(text: string, from: number, to: number): void {
  if (!isBlank(text, from, to)) throw notJson(from, to, 'a comma is missing, or there is extra text');
}

function notJson(from: number | undefined, to: number | undefined, reason: string): AirdeskError {
  const where = from === undefined ? '' : ` between the characters ${from} and ${to}`;
  return badParameter('request_body', `The body is not JSON${where}: ${reason}`, 'bad_request');
}
