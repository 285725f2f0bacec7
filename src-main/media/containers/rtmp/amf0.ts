/** An AMF 0 object, with or without a class name. */
export interface AmfObject {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, AmfValue>;
  /** Class name of a typed object (AMF 0, section 2.18). */
  readonly className?: string;
}

/** An associative array (AMF 0, section 2.10), the form of `onMetaData`. */
export interface AmfEcmaArray {
  readonly kind: 'ecma-array';
  readonly fields: ReadonlyMap<string, AmfValue>;
}

/** A date (AMF 0, section 2.13). */
interface AmfDate {
  readonly kind: 'date';
  readonly epochMs: number;
}

/** Any value of AMF 0. Long strings and XML documents are read as strings, `unsupported` as undefined. */
export type AmfValue =
  number | boolean | string | null | undefined | AmfObject | AmfEcmaArray | AmfDate | readonly AmfValue[];

/** Result of `readAmf0`. */
export interface AmfReading {
  readonly values: readonly AmfValue[];
  /**
   * False if the bytes end in a value, contain an unsupported type, or exceed the limits; `values` then has the values before
   * that.
   */
  readonly isComplete: boolean;
}

const MARKER = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
  unsupported: 13,
  xml: 15,
  typedObject: 16,
} as const;

/** Maximum nesting of objects and arrays. */
const MAX_DEPTH = 16;

/** Maximum number of values of a message; the largest `onMetaData` in use have some hundreds without a file index. */
const MAX_VALUES = 10_000;

/** Reads all values of a message in AMF 0. Never throws. */
export function readAmf0(bytes: Uint8Array, start = 0): AmfReading {
  const cursor = new Cursor(bytes, start);
  const values: AmfValue[] = [];
  while (!cursor.isFailed && cursor.at < bytes.length) {
    const value = readValue(cursor, 0);
    if (!cursor.isFailed) values.push(value);
  }
  return { values, isComplete: !cursor.isFailed };
}

/** Writes values in AMF 0. */
export function writeAmf0(values: readonly AmfValue[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const value of values) writeValue(parts, value);
  return Buffer.concat(parts);
}

/** Builds an object value from plain fields. */
export function amfObject(fields: Readonly<Record<string, AmfValue>>): AmfObject {
  return { kind: 'object', fields: new Map(Object.entries(fields)) };
}

/** The fields of an object or associative array; undefined for any other value. */
export function amfFields(value: AmfValue): ReadonlyMap<string, AmfValue> | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind === 'date') return undefined;
  return value.fields;
}

/** Position in the bytes that records whether they ended too early. */
class Cursor {
  readonly bytes: Buffer;
  at: number;
  isFailed = false;
  valuesLeft = MAX_VALUES;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = at;
  }

  /** Advances by `count` and returns the position before; -1 if there are not enough bytes. */
  take(count: number): number {
    const at = this.at;
    if (this.isFailed || at + count > this.bytes.length) {
      this.isFailed = true;
      return -1;
    }
    this.at = at + count;
    return at;
  }

  text(lengthBytes: 2 | 4): string {
    const at = this.take(lengthBytes);
    if (at < 0) return '';
    const length = lengthBytes === 2 ? this.bytes.readUInt16BE(at) : this.bytes.readUInt32BE(at);
    const from = this.take(length);
    return from < 0 ? '' : this.bytes.toString('utf8', from, from + length);
  }
}

function readValue(cursor: Cursor, depth: number): AmfValue {
  const at = cursor.take(1);
  cursor.valuesLeft -= 1;
  if (at < 0 || depth > MAX_DEPTH || cursor.valuesLeft < 0) return fail(cursor);
  switch (cursor.bytes[at]) {
    case MARKER.number:
      return readNumber(cursor);
    case MARKER.boolean: {
      const position = cursor.take(1);
      return position >= 0 && cursor.bytes[position] !== 0;
    }
    case MARKER.string:
      return cursor.text(2);
    case MARKER.longString:
    case MARKER.xml:
      return cursor.text(4);
    case MARKER.null:
      return null;
    case MARKER.undefined:
    case MARKER.unsupported:
      return undefined;
    case MARKER.object:
      return { kind: 'object', fields: readFields(cursor, depth) };
    case MARKER.typedObject: {
      const className = cursor.text(2);
      return { kind: 'object', className, fields: readFields(cursor, depth) };
    }
    case MARKER.ecmaArray:
      // The count is often wrong, so it is ignored; the array ends at its end marker.
      cursor.take(4);
      return { kind: 'ecma-array', fields: readFields(cursor, depth) };
    case MARKER.strictArray:
      return readArray(cursor, depth);
    case MARKER.date: {
      const epochMs = readNumber(cursor);
      cursor.take(2);
      return { kind: 'date', epochMs };
    }
    default:
      return fail(cursor);
  }
}

function readNumber(cursor: Cursor): number {
  const at = cursor.take(8);
  return at < 0 ? 0 : cursor.bytes.readDoubleBE(at);
}

function readFields(cursor: Cursor, depth: number): Map<string, AmfValue> {
  const fields = new Map<string, AmfValue>();
  while (!cursor.isFailed) {
    const name = cursor.text(2);
    if (name === '' && cursor.bytes[cursor.at] === MARKER.objectEnd) {
      cursor.take(1);
      break;
    }
    const value = readValue(cursor, depth + 1);
    if (!cursor.isFailed) fields.set(name, value);
  }
  return fields;
}

function readArray(cursor: Cursor, depth: number): AmfValue[] {
  const at = cursor.take(4);
  const count = at < 0 ? 0 : cursor.bytes.readUInt32BE(at);
  const values: AmfValue[] = [];
  while (!cursor.isFailed && values.length < count) values.push(readValue(cursor, depth + 1));
  return values;
}

function fail(cursor: Cursor): undefined {
  cursor.isFailed = true;
  return undefined;
}

function writeValue(parts: Uint8Array[], value: AmfValue): void {
  if (value === undefined) parts.push(Uint8Array.of(MARKER.undefined));
  else if (value === null) parts.push(Uint8Array.of(MARKER.null));
  else if (typeof value === 'boolean') parts.push(Uint8Array.of(MARKER.boolean, value ? 1 : 0));
  else if (typeof value === 'number') parts.push(Uint8Array.of(MARKER.number), float64(value));
  else if (typeof value === 'string') writeString(parts, value);
  else if ('kind' in value) writeStructure(parts, value);
  else {
    parts.push(Uint8Array.of(MARKER.strictArray), uint32(value.length));
    for (const item of value) writeValue(parts, item);
  }
}

function writeStructure(parts: Uint8Array[], value: AmfObject | AmfEcmaArray | AmfDate): void {
  if (value.kind === 'date') {
    parts.push(Uint8Array.of(MARKER.date), float64(value.epochMs), Uint8Array.of(0, 0));
    return;
  }
  if (value.kind === 'ecma-array') parts.push(Uint8Array.of(MARKER.ecmaArray), uint32(value.fields.size));
  else if (value.className === undefined) parts.push(Uint8Array.of(MARKER.object));
  else parts.push(Uint8Array.of(MARKER.typedObject), shortText(value.className));
  for (const [name, field] of value.fields) {
    parts.push(shortText(name));
    writeValue(parts, field);
  }
  parts.push(Uint8Array.of(0, 0, MARKER.objectEnd));
}

function writeString(parts: Uint8Array[], value: string): void {
  const text = Buffer.from(value, 'utf8');
  if (text.length <= 0xffff) parts.push(Uint8Array.of(MARKER.string, text.length >> 8, text.length & 0xff), text);
  else parts.push(Uint8Array.of(MARKER.longString), uint32(text.length), text);
}

function shortText(value: string): Uint8Array {
  const text = Buffer.from(value, 'utf8').subarray(0, 0xffff);
  return Buffer.concat([Uint8Array.of(text.length >> 8, text.length & 0xff), text]);
}

function float64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value, 0);
  return bytes;
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
