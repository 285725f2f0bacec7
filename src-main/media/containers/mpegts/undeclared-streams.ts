import { declarationOf, type Declaration } from './content-probe.ts';
import { FIRST_FREE_PID, NULL_PID } from './packet.ts';
import { PesCollector, type PesMemory } from './pes-collector.ts';
import { readPesHeader, type ReadPesHeader } from './pes-header.ts';
import type { Pmt, PmtStream } from './pmt.ts';
import { streamKind } from './stream-kind.ts';

/** Maximum number of streams probed at a time. */
const MAX_PROBES = 8;
/** Maximum bytes collected of one stream while it is probed. */
const MAX_COLLECTED_BYTES = 1024 * 1024;
/** Bytes of a stream after which its content counts as data. */
const MAX_PROBED_BYTES = 4 * 1024 * 1024;
/**
 * Maximum media time for which the announcement of tracks waits: 2 s. Clock references count too, although they may be a second
 * earlier than the times of the tracks.
 */
const MAX_WAIT_TICKS = 2 * 90_000;

/** PES packet collected while the content of its stream is unknown. */
export interface CollectedPacket {
  readonly header: ReadPesHeader;
  readonly bytes: Buffer;
}

interface UndeclaredStreamsOptions {
  readonly memory: PesMemory;
  /** The result of `resolve`, or `isWaiting`, has changed. */
  readonly changed: () => void;
}

/**
 * Finds the codec of private PES streams whose descriptors do not name it, from their first bytes. Multiplexers for M2TS, and
 * many recorders, declare AAC, AC-3 or MPEG audio in this way.
 */
export class UndeclaredStreams {
  readonly #options: UndeclaredStreamsOptions;
  #probes: ReadonlyMap<number, Probe> = new Map();
  #waitFromTicks: number | undefined;
  #isWaiting = false;

  constructor(options: UndeclaredStreamsOptions) {
    this.#options = options;
  }

  /** Whether the announcement of tracks waits for the result of a probe. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Packet identifiers to be read by `collector`. */
  get pids(): readonly number[] {
    return [...this.#probes.values()].filter((probe) => probe.isOpen).map(({ pid }) => pid);
  }

  /** The programme map with the found codecs. Streams that are new in it are probed from now on. */
  resolve(pmt: Pmt): Pmt {
    const probes = new Map<number, Probe>();
    for (const entry of pmt.streams) {
      if (entry.pid < FIRST_FREE_PID || entry.pid === NULL_PID || probes.size >= MAX_PROBES) continue;
      if (streamKind(entry, pmt.descriptors).content !== 'undeclared') continue;
      const probe = this.#probes.get(entry.pid);
      if (!probe) {
        this.#isWaiting = true;
        this.#waitFromTicks = undefined;
      }
      probes.set(entry.pid, probe ?? new Probe(entry.pid, this.#options.memory, this.#settled));
    }
    for (const [pid, probe] of this.#probes) if (!probes.has(pid)) probe.close();
    this.#probes = probes;
    this.#isWaiting &&= this.pids.length > 0;
    return probes.size === 0 ? pmt : { ...pmt, streams: pmt.streams.map((entry) => this.#declared(entry)) };
  }

  /** Collector of the PES packets of an undeclared stream. */
  collector(pid: number): PesCollector {
    const probe = this.#probes.get(pid);
    return new PesCollector(
      {
        pes: (bytes, end) => {
          probe?.pes(bytes, end);
        },
        interrupted: () => {
          probe?.drop();
        },
        tooLarge: () => {
          probe?.drop();
        },
      },
      this.#options.memory,
    );
  }

  /** Takes the collected packets of a stream. */
  take(pid: number): readonly CollectedPacket[] {
    return this.#probes.get(pid)?.take() ?? [];
  }

  /** Reports the progress of media time: ends the wait when it has lasted long enough. */
  progress(ticks: number): void {
    if (!this.#isWaiting) return;
    this.#waitFromTicks ??= ticks;
    if (ticks - this.#waitFromTicks < MAX_WAIT_TICKS) return;
    this.#isWaiting = false;
    this.#options.changed();
  }

  #declared(entry: PmtStream): PmtStream {
    const found = this.#probes.get(entry.pid)?.found;
    if (!found) return entry;
    return { ...entry, streamType: found.streamType, descriptors: [...found.descriptors, ...entry.descriptors] };
  }

  readonly #settled = (): void => {
    this.#isWaiting &&= this.pids.length > 0;
    this.#options.changed();
  };
}

/** Search for the codec of one stream. */
class Probe {
  readonly pid: number;
  readonly #memory: PesMemory;
  readonly #settled: () => void;
  #collected: CollectedPacket[] = [];
  #collectedBytes = 0;
  /** Number of collected bytes that the next search waits for. */
  #enoughBytes = 0;
  #bytesLeft = MAX_PROBED_BYTES;
  /** Whether the content is unknown yet. */
  isOpen = true;
  /** Codec of the stream; undefined while it is unknown, and for data. */
  found: Declaration | undefined;

  constructor(pid: number, memory: PesMemory, settled: () => void) {
    this.pid = pid;
    this.#memory = memory;
    this.#settled = settled;
  }

  pes(bytes: Buffer, end: number): void {
    if (!this.isOpen) return;
    const header = readPesHeader(bytes, end);
    this.#bytesLeft -= end;
    // Padding and private_stream_2 have no header.
    if (!header || this.#bytesLeft < 0) {
      this.#settle(undefined);
      return;
    }
    if (header.isScrambled) return;
    if (this.#collectedBytes + end > MAX_COLLECTED_BYTES) this.drop();
    if (!this.#memory.take(end)) return;
    this.#collected.push({ header, bytes: Buffer.from(bytes.subarray(0, end)) });
    this.#collectedBytes += end;
    if (this.#collectedBytes < this.#enoughBytes) return;
    this.#enoughBytes = this.#collectedBytes + (this.#collectedBytes >> 2);
    const found = declarationOf(
      Buffer.concat(this.#collected.map((one) => one.bytes.subarray(one.header.payloadStart))),
    );
    if (found) this.#settle(found);
  }

  /** Drops the collected packets: the next packets do not continue them. */
  drop(): void {
    this.#memory.bytes -= this.#collectedBytes;
    this.#collected = [];
    this.#collectedBytes = 0;
    this.#enoughBytes = 0;
  }

  take(): readonly CollectedPacket[] {
    const collected = this.#collected;
    this.drop();
    return collected;
  }

  close(): void {
    this.isOpen = false;
    this.drop();
  }

  #settle(found: Declaration | undefined): void {
    this.isOpen = false;
    this.found = found;
    if (!found) this.drop();
    this.#settled();
  }
}
