import { addressGroup, isLoopback } from '../../lib/network-address.ts';

/** Limits on the RTMP connections of encoders, over all ports and media threads. */
export interface RtmpConnectionLimits {
  /** Maximum number of open connections, publishing or not. Default 2000. */
  readonly maxConnections: number;
  /** Maximum number per IPv4 address, or per /64 network of IPv6; loopback is exempt. Default 200. */
  readonly maxPerAddress: number;
  /** Whether there are ports with TLS and ports without: then each kind gets at most three quarters. Default false. */
  readonly hasBothKinds?: boolean;
}

/** Default limits. */
const DEFAULTS: RtmpConnectionLimits = { maxConnections: 2000, maxPerAddress: 200 };
/**
 * Number of address counters, by hash. With some thousand connections a collision is rare, and the seed keeps
 * collisions unpredictable.
 */
const BUCKETS = 65_536;
/**
 * Number of counters before the rows: both limits, the number that file handles allow, whether there are both kinds
 * of ports, and the hash seed.
 */
const HEAD = 5;
/** Number of counters of one thread: all connections, connections with TLS, and the connections of each bucket. */
const ROW = 2 + BUCKETS;
const WITH_TLS = 1;
const NO_LIMIT = 0x7fffffff;
/** Fraction of all connections available to ports with TLS, or without, if there are both. */
const KIND_SHARE = 0.75;

/** Shared memory for the counts of media threads, with the default limits. @param threads number of threads, at least one */
function connectionMemory(threads = 1): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(4 * (HEAD + ROW * threads));
  const seed = Math.floor(Math.random() * NO_LIMIT);
  new Int32Array(memory).set([DEFAULTS.maxConnections, DEFAULTS.maxPerAddress, NO_LIMIT, 0, seed]);
  return memory;
}

/** Count of open connections of a media thread; reads the counts of other threads from shared memory. */
export class ConnectionCount {
  readonly #counts: Int32Array;
  readonly #row: number;

  /** @param row row of this thread */
  constructor(memory = connectionMemory(), row = 0) {
    this.#counts = new Int32Array(memory);
    this.#row = HEAD + row * ROW;
  }

  /** Counts a connection; false if a limit forbids it. */
  enter(address: string, hasTls = false): boolean {
    const [maxConnections, maxPerAddress, maxOfKind] = limitsOf(this.#counts);
    const bucket = this.#bucketOf(address);
    // Counted before the check, so that concurrent threads never exceed the limits.
    this.#add(bucket, hasTls, 1);
    const isAddressAllowed = isLoopback(address) || sumOf(this.#counts, bucket) <= maxPerAddress;
    const total = sumOf(this.#counts, 0);
    const withTls = sumOf(this.#counts, WITH_TLS);
    if (isAddressAllowed && total <= maxConnections && (hasTls ? withTls : total - withTls) <= maxOfKind) return true;
    this.#add(bucket, hasTls, -1);
    return false;
  }

  /** Releases a counted connection. */
  leave(address: string, hasTls = false): void {
    this.#add(this.#bucketOf(address), hasTls, -1);
  }

  #add(bucket: number, hasTls: boolean, change: 1 | -1): void {
    Atomics.add(this.#counts, this.#row, change);
    if (hasTls) Atomics.add(this.#counts, this.#row + WITH_TLS, change);
    Atomics.add(this.#counts, this.#row + bucket, change);
  }

  /** FNV-1a over the address, starting with the seed. */
  #bucketOf(address: string): number {
    let hash = this.#counts[HEAD - 1] ?? 0;
    for (const char of addressGroup(address)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return 2 + ((hash >>> 0) % BUCKETS);
  }
}

/** Connections of all media threads, as seen and limited by the server thread. */
export class ConnectionBoard {
  readonly memory: SharedArrayBuffer;
  readonly #counts: Int32Array;

  /** @param threads media threads, at least one */
  constructor(threads: number) {
    this.memory = connectionMemory(threads);
    this.#counts = new Int32Array(this.memory);
  }

  /** Connections that are open. */
  get total(): number {
    return sumOf(this.#counts, 0);
  }

  /** Maximum number of connections: as configured, or as file handles allow. */
  get limit(): number {
    return limitsOf(this.#counts)[0];
  }

  /** Whether a connection with or without TLS would be refused because of a limit. */
  get isFull(): boolean {
    const [all, , ofKind] = limitsOf(this.#counts);
    const withTls = sumOf(this.#counts, WITH_TLS);
    const { total } = this;
    return total >= all || withTls >= ofKind || total - withTls >= ofKind;
  }

  /** Sets the limits; open connections stay open. */
  apply({ maxConnections, maxPerAddress, hasBothKinds = false }: RtmpConnectionLimits): void {
    Atomics.store(this.#counts, 3, Number(hasBothKinds));
    Atomics.store(this.#counts, 0, maxConnections);
    Atomics.store(this.#counts, 1, maxPerAddress);
  }

  /** Sets the number of connections that the file handles of the process allow. */
  allow(limit: number): void {
    Atomics.store(this.#counts, 2, Math.min(NO_LIMIT, limit));
  }

  /** Releases the connections of a thread that has ended, by its row. */
  release(row: number): void {
    for (let at = HEAD + row * ROW, end = at + ROW; at < end; at++) Atomics.store(this.#counts, at, 0);
  }
}

function limitsOf(counts: Int32Array): readonly [maxConnections: number, maxPerAddress: number, maxOfKind: number] {
  const all = Math.min(Atomics.load(counts, 0), Atomics.load(counts, 2));
  return [all, Atomics.load(counts, 1), Atomics.load(counts, 3) === 0 ? all : Math.ceil(all * KIND_SHARE)];
}

/** Sum over all threads. @param at index in each row */
function sumOf(counts: Int32Array, at: number): number {
  let sum = 0;
  for (let row = HEAD; row < counts.length; row += ROW) sum += Atomics.load(counts, row + at);
  return sum;
}
