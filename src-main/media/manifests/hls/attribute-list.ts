import { ownCopy } from './playlist-lines.ts';

/** Maximum number of attributes of a tag; more are ignored. */
const MAX_ATTRIBUTES = 64;

/** Maximum plausible decimal-floating-point number: a year in seconds. */
const MAX_SECONDS = 366 * 86_400;

const NAME = /^[A-Z0-9-]+$/;

/** Attribute list (RFC 8216bis 4.2) after the colon of many tags. Later attributes of the same name are ignored. */
export class AttributeList {
  readonly #values: ReadonlyMap<string, string>;

  private constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** Parses the text as far as it is a valid list. */
  static parse(text: string): AttributeList {
    const values = new Map<string, string>();
    let at = 0;
    while (at < text.length && values.size < MAX_ATTRIBUTES) {
      const equals = text.indexOf('=', at);
      const name = text.slice(at, Math.max(at, equals)).trim();
      if (!NAME.test(name)) break;
      const value = valueAt(text, equals + 1);
      if (value === undefined) break;
      if (!values.has(name)) values.set(name, value.text);
      at = value.end + 1;
    }
    return new AttributeList(values);
  }

  /** Value without its quotation marks; undefined if absent or empty. */
  text(name: string): string | undefined {
    const text = this.#values.get(name);
    return text ? ownCopy(text) : undefined;
  }

  /** Whether an enumerated string is YES. */
  isYes(name: string): boolean {
    return this.#values.get(name) === 'YES';
  }

  /** Decimal-integer within the safe range. */
  integer(name: string): number | undefined {
    return parseInteger(this.#values.get(name));
  }

  /** A decimal-floating-point number of seconds, in whole milliseconds. */
  milliseconds(name: string): number | undefined {
    return parseMilliseconds(this.#values.get(name));
  }

  /** A decimal-floating-point number. */
  decimal(name: string): number | undefined {
    const text = this.#values.get(name);
    return text !== undefined && /^\d+(\.\d*)?$/.test(text) ? Number(text) : undefined;
  }

  /** A decimal-resolution: width and height in pixels. */
  resolution(name: string): { readonly width: number; readonly height: number } | undefined {
    const match = /^(\d{1,6})x(\d{1,6})$/i.exec(this.#values.get(name) ?? '');
    return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
  }

  /** Hexadecimal-sequence of at most `maxBytes` bytes, padded in front with zeros to `maxBytes`. */
  bytes(name: string, maxBytes: number): Uint8Array | undefined {
    const digits = /^0x([0-9a-f]+)$/i.exec(this.#values.get(name) ?? '')?.[1];
    if (digits === undefined || digits.length > maxBytes * 2) return undefined;
    return new Uint8Array(Buffer.from(digits.padStart(maxBytes * 2, '0'), 'hex'));
  }
}

/** Value that starts here, and the position of the comma after it; undefined if it has no valid form. */
function valueAt(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const first = skipSpace(text, start);
  if (text[first] !== '"') {
    const comma = text.indexOf(',', first);
    const end = comma < 0 ? text.length : comma;
    const plain = text.slice(first, end).trimEnd();
    return plain.includes('"') ? undefined : { text: plain, end };
  }
  const quote = text.indexOf('"', first + 1);
  if (quote < 0) return undefined;
  const end = skipSpace(text, quote + 1);
  return end === text.length || text[end] === ',' ? { text: text.slice(first + 1, quote), end } : undefined;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

/** A decimal-integer (RFC 8216bis 4.2) up to 2^53. */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d{1,16}\s*$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Seconds with decimals as whole milliseconds. */
export function parseMilliseconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(\.\d*)?\s*$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds <= MAX_SECONDS ? Math.round(seconds * 1000) : undefined;
}
