import { addressGroup, isLoopback } from '../../lib/network-address.ts';

/** Limits on the connections of encoders by RTMP, of all ports and media threads together. */
export interface RtmpConnectionLimits {
  /** Open at the same time, publishing or not. Default 2000. */
  readonly maxConnections: number;
  /** Of one IPv4 address, or one /64 network of IPv6; loopback is not counted. Default 200. */
  readonly maxPerAddress: number;
  /** Whether there are ports with TLS and ports without: then neither kind takes the last quarter of all. Default false. */
  readonly hasBothKinds?: boolean;
}

/** The limits that are in force where nothing is said. */
const DEFAULTS: RtmpConnectionLimits = { maxConnections: 2000, maxPerAddress: 200 };
/** Counts of addresses, by their hash: with no more than some thousand connections hardly two share one, and the seed keeps secret which. */
const BUCKETS = 65_536;
/** Both limits, the number that file handles allow, whether there are both kinds of ports, and the seed of the buckets. */
const HEAD = 5;
/** The count of one thread: all connections, those with TLS, then those of each bucket. */
const ROW = 2 + BUCKETS;
const WITH_TLS = 1;
const MOST = 0x7fffffff;
/** Share of all connections that ports with TLS, or ports without, may take where there are both. */
const KIND_SHARE = 0.75;

/** Memory for the counts of media threads, with the default limits. @param threads how many there are, at least one */
function connectionMemory(threads = 1): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(4 * (HEAD + ROW * threads));
  const seed = Math.floor(Math.random() * MOST);
  new Int32Array(memory).set([DEFAULTS.maxConnections, DEFAULTS.maxPerAddress, MOST, 0, seed]);
  return memory;
}

/** The count of open connections of a media thread, which knows those of the others by the memory that they share. */
export class ConnectionCount {
  readonly #counts: Int32Array;
  readonly #row: number;

  /** @param place which count is that of this thread */
  constructor(memory = connectionMemory(), place = 0) {
    this.#counts = new Int32Array(memory);
    this.#row = HEAD + place * ROW;
  }

  /** Counts a connection; false if a limit forbids it. */
  enter(address: string, hasTls = false): boolean {
    const [maxConnections, maxPerAddress, maxOfKind] = limitsOf(this.#counts);
    const bucket = this.#bucketOf(address);
    // Counted before the limits are checked, so that threads at the same moment never exceed them.
    this.#add(bucket, hasTls, 1);
    const isOne = isLoopback(address) || sumOf(this.#counts, bucket) <= maxPerAddress;
    const total = sumOf(this.#counts, 0);
    const withTls = sumOf(this.#counts, WITH_TLS);
    if (isOne && total <= maxConnections && (hasTls ? withTls : total - withTls) <= maxOfKind) return true;
    this.#add(bucket, hasTls, -1);
    return false;
  }

  /** Forgets a connection that was counted. */
  leave(address: string, hasTls = false): void {
    this.#add(this.#bucketOf(address), hasTls, -1);
  }

  #add(bucket: number, hasTls: boolean, change: 1 | -1): void {
    Atomics.add(this.#counts, this.#row, change);
    if (hasTls) Atomics.add(this.#counts, this.#row + WITH_TLS, change);
    Atomics.add(this.#counts, this.#row + bucket, change);
  }

  /** FNV-1a over the address, from the seed on. */
  #bucketOf(address: string): number {
    let hash = this.#counts[HEAD - 1] ?? 0;
    for (const char of addressGroup(address)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return 2 + ((hash >>> 0) % BUCKETS);
  }
}

/** The connections of all media threads, as the thread of the server sees them and limits them. */
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

  /** Most connections that there may be: as configured, or as file handles allow. */
  get limit(): number {
    return limitsOf(this.#counts)[0];
  }

  /** Whether a connection of some kind would be refused because all places of its kind are taken. */
  get isFull(): boolean {
    const [all, , ofKind] = limitsOf(this.#counts);
    const withTls = sumOf(this.#counts, WITH_TLS);
    const { total } = this;
    return total >= all || withTls >= ofKind || total - withTls >= ofKind;
  }

  /** Takes other limits; connections that are open stay. */
  apply({ maxConnections, maxPerAddress, hasBothKinds = false }: RtmpConnectionLimits): void {
    Atomics.store(this.#counts, 3, Number(hasBothKinds));
    Atomics.store(this.#counts, 0, maxConnections);
    Atomics.store(this.#counts, 1, maxPerAddress);
  }

  /** Takes how many connections the file handles of the process allow. */
  allow(most: number): void {
    Atomics.store(this.#counts, 2, Math.min(MOST, most));
  }

  /** Forgets the connections of a thread that is gone. */
  release(place: number): void {
    for (let at = HEAD + place * ROW, end = at + ROW; at < end; at++) Atomics.store(this.#counts, at, 0);
  }
}

function limitsOf(counts: Int32Array): readonly [maxConnections: number, maxPerAddress: number, maxOfKind: number] {
  const all = Math.min(Atomics.load(counts, 0), Atomics.load(counts, 2));
  return [all, Atomics.load(counts, 1), Atomics.load(counts, 3) === 0 ? all : Math.ceil(all * KIND_SHARE)];
}

/** A count of all threads together. @param at place in the row of each */
function sumOf(counts: Int32Array, at: number): number {
  let sum = 0;
  for (let row = HEAD; row < counts.length; row += ROW) sum += Atomics.load(counts, row + at);
  return sum;
}
