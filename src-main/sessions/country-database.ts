import { isIPv4, isIPv6 } from 'node:net';

/** Marker before the metadata of a file (MaxMind DB format 2.0, "Metadata"). */
const METADATA_MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** Maximum distance of the metadata from the end of the file, in bytes. */
const METADATA_BYTES = 128 * 1024;
/** Number of zero bytes between the tree and the data. */
const SEPARATOR_BYTES = 16;
/** Maximum nesting of values, including pointers. */
const MAX_DEPTH = 32;
/** Maximum number of entries of a map or list. */
const MAX_ENTRIES = 10_000;

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** Country database in the MaxMind DB format. A look-up reads only the parts that it needs. */
export class CountryDatabase {
  readonly #bytes: Buffer;
  readonly #nodeCount: number;
  readonly #recordBits: number;
  readonly #dataStart: number;
  /** Root node of the IPv4 addresses in the search tree. */
  readonly #ipv4Start: number;
  readonly #isIpv6: boolean;

  /** Throws if the bytes are not such a file. */
  constructor(bytes: Buffer) {
    const mark = bytes.subarray(-METADATA_BYTES).lastIndexOf(METADATA_MARK);
    if (mark < 0) throw new Error('the file is not in the MaxMind DB format');
    const start = Math.max(0, bytes.length - METADATA_BYTES) + mark + METADATA_MARK.length;
    const facts = new ValueReader(bytes, start).read(start);
    this.#bytes = bytes;
    this.#nodeCount = numberOf(facts, 'node_count');
    this.#recordBits = numberOf(facts, 'record_size');
    this.#isIpv6 = numberOf(facts, 'ip_version') === 6;
    if (![24, 28, 32].includes(this.#recordBits))
      throw new Error(`records of ${this.#recordBits} bits are not supported`);
    this.#dataStart = (this.#nodeCount * this.#recordBits) / 4 + SEPARATOR_BYTES;
    if (this.#dataStart > bytes.length) throw new Error('the file is shorter than its stated size');
    this.#ipv4Start = this.#isIpv6 ? this.#walk(0, new Uint8Array(12), 0) : 0;
  }

  /** Country of an address as two letters; null if unknown. Never throws: damaged data counts as unknown. */
  countryOf(ip: string): string | null {
    try {
      const node = this.#find(ip);
      // A record equal to the node count means unknown; a larger one is an offset in the data.
      if (node <= this.#nodeCount) return null;
      const reader = new ValueReader(this.#bytes, this.#dataStart);
      const value = reader.read(this.#dataStart + node - this.#nodeCount - SEPARATOR_BYTES);
      return codeOf(value, 'country') ?? codeOf(value, 'registered_country');
    } catch {
      return null;
    }
  }

  #find(ip: string): number {
    if (isIPv4(ip)) return this.#walk(this.#ipv4Start, Uint8Array.from(ip.split('.'), Number), 0);
    if (!isIPv6(ip) || !this.#isIpv6) return this.#nodeCount;
    return this.#walk(0, ipv6Bytes(ip), 0);
  }

  #walk(from: number, address: Uint8Array, firstBit: number): number {
    let node = from;
    for (let bit = firstBit; bit < address.length * 8 && node < this.#nodeCount; bit++) {
      node = this.#record(node, ((address[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    }
    return node;
  }

  #record(node: number, side: number): number {
    const bytes = this.#bytes;
    const at = (node * this.#recordBits) / 4;
    if (this.#recordBits === 24) return bytes.readUIntBE(at + side * 3, 3);
    if (this.#recordBits === 32) return bytes.readUInt32BE(at + side * 4);
    // Seven bytes for both: the middle byte contains the highest four bits of each.
    const middle = bytes.readUInt8(at + 3);
    return side === 0
      ? ((middle & 0xf0) << 20) | bytes.readUIntBE(at, 3)
      : ((middle & 0x0f) << 24) | bytes.readUIntBE(at + 4, 3);
  }
}

/** Reads values of the data section (MaxMind DB format 2.0, "Output Data Section"). */
class ValueReader {
  readonly #bytes: Buffer;
  readonly #start: number;
  #at = 0;

  /** @param start base of pointers */
  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  /** Reads the value at an offset; throws if there is none. */
  read(at: number): Value {
    this.#at = at;
    return this.#value(0);
  }

  #value(depth: number): Value {
    if (depth > MAX_DEPTH) throw new Error('values are nested too deeply');
    const control = this.#bytes.readUInt8(this.#at++);
    let type = control >> 5;
    if (type === 1) return this.#pointed(control, depth);
    if (type === 0) type = this.#bytes.readUInt8(this.#at++) + 7;
    const size = this.#size(control & 0x1f);
    switch (type) {
      case 2:
        return this.#take(size).toString('utf8');
      case 3:
        return this.#take(8).readDoubleBE();
      case 5:
      case 6:
      case 8:
        return this.#take(size).reduce((sum, byte) => sum * 256 + byte, 0);
      case 7:
        return this.#map(size, depth);
      case 11:
        return this.#list(size, depth);
      case 14:
        return size === 1;
      case 15:
        return this.#take(4).readFloatBE();
      default:
        // Bytes and longer numbers are not used here.
        this.#take(size);
        return null;
    }
  }

  #pointed(control: number, depth: number): Value {
    const size = (control >> 3) & 3;
    const low = this.#take(size + 1).reduce((sum, byte) => sum * 256 + byte, 0);
    const high = (control & 7) * 2 ** (8 * (size + 1));
    const offset = size === 3 ? low : high + low + (size === 1 ? 2048 : size === 2 ? 526_336 : 0);
    const after = this.#at;
    this.#at = this.#start + offset;
    const value = this.#value(depth + 1);
    this.#at = after;
    return value;
  }

  #size(base: number): number {
    if (base < 29) return base;
    const more = this.#take(base - 28).reduce((sum, byte) => sum * 256 + byte, 0);
    return more + (base === 29 ? 29 : base === 30 ? 285 : 65_821);
  }

  #map(size: number, depth: number): Value {
    if (size > MAX_ENTRIES) throw new Error('a map is too large');
    const map: Record<string, Value> = {};
    for (let index = 0; index < size; index++) {
      const key = this.#value(depth + 1);
      const value = this.#value(depth + 1);
      if (typeof key === 'string' && key !== '__proto__') map[key] = value;
    }
    return map;
  }

  #list(size: number, depth: number): Value {
    if (size > MAX_ENTRIES) throw new Error('a list is too large');
    return Array.from({ length: size }, () => this.#value(depth + 1));
  }

  #take(size: number): Buffer {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new Error('the file ends inside a value');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

function fieldOf(value: Value | undefined, key: string): Value | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? (value as { readonly [key: string]: Value })[key]
    : undefined;
}

function numberOf(value: Value, key: string): number {
  const number = fieldOf(value, key);
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0)
    throw new Error(`the file does not contain its ${key}`);
  return number;
}

function codeOf(value: Value, key: string): string | null {
  const code = fieldOf(fieldOf(value, key), 'iso_code');
  return typeof code === 'string' && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null;
}

/** Bytes of a valid IPv6 address (RFC 4291 section 2.2). */
function ipv6Bytes(ip: string): Uint8Array {
  const [address = ''] = ip.split('%');
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hexOnly = dotted
    ? address.slice(0, dotted.index) +
      dotted
        .slice(1)
        .reduce(
          (text, part, index) => `${text}${index === 2 ? ':' : ''}${Number(part).toString(16).padStart(2, '0')}`,
          '',
        )
    : address;
  const [head = '', tail] = hexOnly.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((word) => parseInt(word, 16)));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 255]));
}
