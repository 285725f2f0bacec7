import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { MediaSink } from '../../access-unit.ts';
import { Announcer } from './announcer.ts';
import type { ElementaryStream } from './elementary-stream.ts';
import { NULL_PID, PACKET_BYTES, PAT_PID, PID_COUNT, readPcr } from './packet.ts';
import { PacketGrid } from './packet-grid.ts';
import { PesCollector, PesMemory, type PesSink } from './pes-collector.ts';
import { MAX_PES_HEADER_BYTES, pesPayloadAt, readPesHeader } from './pes-header.ts';
import { PidState, type MpegTsStats } from './pid-state.ts';
import type { Pmt } from './pmt.ts';
import { ProgramClock } from './program-clock.ts';
import { ProgramStreams, type ProgramStream } from './program-streams.ts';
import { ProgramTables, unknownsOf } from './program-tables.ts';
import { SectionCollector } from './section-collector.ts';
import { UndeclaredStreams } from './undeclared-streams.ts';

export interface MpegTsReaderOptions {
  /** Number of the programme to read; default: the first of the association table that carries audio or video. */
  readonly program?: number;
  /**
   * Programme found by an earlier reader: bytes from the middle of a stream are read without waiting for the tables, which are
   * ignored.
   */
  readonly found?: FoundProgram;
  /** Whether pictures are emitted before the next one starts if that is safe. Default false. */
  readonly isLive?: boolean;
  /** Whether late and jumping clock references are reported; not for files. Default false. */
  readonly watchesClock?: boolean;
}

/** Programme found by another reader. */
export interface FoundProgram {
  readonly map: Pmt;
  /** Decoder configurations of its tracks, by packet identifier. */
  readonly configs: ReadonlyMap<number, Uint8Array>;
  /** Whether the tables are read too, because they change. Default false. */
  readonly isChanging?: boolean;
}

/** Maximum number of packets collected before the tables of the programme arrive: 4 MiB. */
const MAX_EARLY_PACKETS = 22_000;

/**
 * Number of scrambled packets of one track after which the programme is left although other tracks have no packets: half a second
 * of television.
 */
const MAX_SCRAMBLED_PACKETS = 1000;

/**
 * Reads an MPEG transport stream (ISO/IEC 13818-1) in chunks of any size, and emits the tracks, access units and splice messages
 * of one programme. Never throws on bad input: faults are reported and counted, and it continues.
 */
export class MpegTsReader {
  readonly #sink: MediaSink;
  readonly #grid: PacketGrid;
  readonly #clock: ProgramClock;
  readonly #announcer: Announcer;
  readonly #streams: ProgramStreams;
  readonly #tables: ProgramTables;
  readonly #memory = new PesMemory();
  readonly #undeclared: UndeclaredStreams;
  /** Index of each packet identifier's state in `#states`, plus one; 0 for identifiers without packets. */
  readonly #stateIndexes = new Uint16Array(PID_COUNT);
  readonly #states: PidState[] = [];
  #mapPids: readonly number[] = [];
  /** Moved streams with their old packet identifiers, which stay in use until the first packet on the new identifier. */
  readonly #leaving = new Map<ElementaryStream, ProgramStream>();
  /** Packet identifiers of streams whose codec is being searched. */
  #probedPids: readonly number[] = [];
  #pcrPid = NULL_PID;
  /** Map of the programme as received, and with the codecs of its undeclared streams. */
  #declaredMap: Pmt | undefined;
  #map: Pmt | undefined;
  /** Packets received before the tables of the programme; undefined after them, or if there were too many. */
  #early: Buffer[] | undefined;
  #packets = 0;
  #syncLosses = 0;
  #tableErrors = 0;

  constructor(sink: MediaSink, options: MpegTsReaderOptions = {}) {
    this.#sink = sink;
    this.#clock = new ProgramClock(options.watchesClock ?? false);
    this.#grid = new PacketGrid({
      packet: (bytes, at) => {
        this.#packet(bytes, at);
      },
      syncLost: () => {
        this.#syncLosses++;
        sink.problem({ code: 'ts_sync_lost', ...because('ts_sync_lost_after', { packet: this.#packets }) });
      },
    });
    this.#announcer = new Announcer(sink);
    const problem = sink.problem.bind(sink);
    const { found: known } = options;
    const streams = {
      clock: this.#clock,
      sink: this.#announcer,
      problem,
      memory: this.#memory,
      isLive: options.isLive ?? false,
    };
    this.#streams = new ProgramStreams(known ? { ...streams, configs: known.configs } : streams);
    this.#tables = new ProgramTables(options.program, {
      mapPids: (pids) => {
        this.#setMapPids(pids);
      },
      program: (pmt) => {
        this.#setProgram(pmt);
      },
      problem,
      packets: () => this.#packets,
    });
    this.#undeclared = new UndeclaredStreams({
      memory: this.#memory,
      changed: () => {
        if (this.#declaredMap) this.#applyMap(this.#declaredMap);
      },
    });
    if (known) {
      this.#applyMap(known.map);
      if (known.isChanging !== true) return;
    } else this.#early = [];
    this.#state(PAT_PID).sections = this.#sectionsOf(PAT_PID, (section) => {
      this.#tables.pat(section);
    });
  }

  /** Map of the chosen programme with the codecs of its undeclared streams; undefined before the map arrives. */
  get programMap(): Pmt | undefined {
    return this.#map;
  }

  /** Description of the chosen programme for a reader that starts at this position; undefined before its map arrives. */
  get program(): FoundProgram | undefined {
    const configs = new Map<number, Uint8Array>();
    for (const { pid, stream } of this.#streams.streams) if (stream.track) configs.set(pid, stream.track.decoderConfig);
    return this.#map && { map: this.#map, configs };
  }

  /** Snapshot of the counters. */
  get stats(): MpegTsStats {
    return {
      packets: this.#packets,
      strideBytes: this.#grid.strideBytes,
      skippedBytes: this.#grid.skippedBytes,
      bytesWithoutGrid: this.#grid.bytesWithoutGrid,
      syncLosses: this.#syncLosses,
      tableErrors: this.#tableErrors,
      programNumber: this.#tables.programNumber,
      pids: this.#states.filter((state) => state.packets > 0).map((state) => state.counters),
    };
  }

  /** Consecutive bytes without a packet grid; 0 while there is one. */
  get bytesWithoutGrid(): number {
    return this.#grid.bytesWithoutGrid;
  }

  /** Memory of incomplete access units, of units that wait for the announcement, and of packets that wait for the tables. */
  get bufferedBytes(): number {
    return this.#memory.bytes + this.#announcer.bufferedBytes + (this.#early?.length ?? 0) * PACKET_BYTES;
  }

  /** Processes the next bytes, in chunks of any size. They are not retained. */
  push(bytes: Uint8Array): void {
    this.#grid.push(bytes);
  }

  /** Whether a started picture was not emitted yet. */
  get isPictureOpen(): boolean {
    return this.#streams.streams.some(
      ({ pid, stream }) => stream.isOpen !== undefined && (stream.isOpen || this.#state(pid).pes?.isOpen === true),
    );
  }

  /**
   * Reports that the next bytes continue the stream without loss, but may come from another multiplexer: their packets may be
   * on another grid, and their continuity counters may restart.
   */
  startFile(): void {
    this.#grid.flush();
    for (const state of this.#states) state.continuity = -1;
  }

  /** Emits incomplete data, because the stream ends or the next bytes do not continue it. */
  flush(): void {
    this.#grid.flush();
    for (const state of this.#states) {
      state.interrupt();
      state.continuity = -1;
    }
    for (const { stream } of this.#streams.streams) stream.flush?.();
    this.#clock.interrupt();
    if (this.#early) this.#early = [];
    this.#announcer.settle();
  }

  #state(pid: number): PidState {
    const stateIndex = this.#stateIndexes[pid]!;
    if (stateIndex > 0) return this.#states[stateIndex - 1]!;
    const state = new PidState(pid);
    this.#stateIndexes[pid] = this.#states.push(state);
    return state;
  }

  /** Processes one packet. Called very often, so it creates no object. */
  #packet(bytes: Buffer, at: number): void {
    this.#packets++;
    const b1 = bytes[at + 1]!;
    const pid = ((b1 & 0x1f) << 8) | bytes[at + 2]!;
    const stateIndex = this.#stateIndexes[pid]!;
    const state = stateIndex > 0 ? this.#states[stateIndex - 1]! : this.#state(pid);
    state.packets++;
    if (pid === NULL_PID) return;
    if (this.#early !== undefined && state.sections === undefined) {
      this.#collectEarly(bytes, at);
      return;
    }
    if ((b1 & 0x80) !== 0) {
      this.#damaged(state);
      return;
    }
    const b3 = bytes[at + 3]!;
    const end = at + PACKET_BYTES;
    let start = at + 4;
    let isDiscontinuity = false;
    if ((b3 & 0x20) !== 0) {
      const length = bytes[start]!;
      start += 1 + length;
      if (start > end) {
        this.#damaged(state);
        return;
      }
      if (length > 0) {
        const flags = bytes[at + 5]!;
        isDiscontinuity = (flags & 0x80) !== 0;
        if ((flags & 0x10) !== 0 && length >= 7 && pid === this.#pcrPid)
          this.#progress(readPcr(bytes, at + 6), isDiscontinuity);
      }
    }
    // Only packets with payload are counted by the continuity counter (2.4.3.3).
    if ((b3 & 0x10) === 0) return;
    const continuity = b3 & 0x0f;
    const last = state.continuity;
    if (continuity !== ((last + 1) & 0x0f) && last >= 0 && !isDiscontinuity) {
      if (continuity === last) {
        state.duplicates++;
        return;
      }
      this.#gap(state, continuity);
    }
    state.continuity = continuity;
    if ((b3 & 0xc0) !== 0) {
      this.#scrambled(state);
      return;
    }
    const pes = state.pes;
    if (pes !== undefined) {
      if ((b1 & 0x40) !== 0) {
        pes.start(bytes, start, end);
        // The previous packet determined the type of the stream.
        if (state.pes !== pes) state.pes?.start(bytes, start, end);
      } else pes.append(bytes, start, end);
    } else if (state.sections !== undefined) {
      state.sections.push(bytes, start, end, (b1 & 0x40) !== 0);
    }
  }

  /** Collects a packet that may belong to the programme, whose tables arrive later. */
  #collectEarly(bytes: Buffer, at: number): void {
    const early = this.#early;
    if (!early) return;
    early.push(Buffer.from(bytes.subarray(at, at + PACKET_BYTES)));
    if (early.length >= MAX_EARLY_PACKETS) this.#early = undefined;
  }

  /** Processes the packets of the programme that arrived before its tables. */
  #readEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const packet of early) {
      const state = this.#state(((packet[1]! & 0x1f) << 8) | packet[2]!);
      // The packet was counted when it arrived.
      this.#packets--;
      state.packets--;
      this.#packet(packet, 0);
    }
  }

  #damaged(state: PidState): void {
    state.transportErrors++;
    this.#sink.problem({ code: 'ts_transport_error', ...because('ts_packet_damaged', { pid: state.pid }) });
  }

  #gap(state: PidState, continuity: number): void {
    state.continuityErrors++;
    const lost = (continuity - state.continuity - 1) & 0x0f;
    this.#sink.problem({
      code: 'ts_continuity',
      ...because('ts_packets_lost', { count: lost, pid: state.pid }),
    });
    state.interrupt(true);
  }

  #scrambled(state: PidState): void {
    state.scrambledPackets++;
    const one = state.pes && this.#streams.streams.find(({ pid }) => pid === state.pid);
    if (!one) return;
    if (state.scrambledPackets === MAX_SCRAMBLED_PACKETS) this.#leaveScrambled(true);
    if (state.isScrambled) {
      // Reported after the announcement, because before it another programme may be chosen.
      if (this.#announcer.hasTracks || state.scrambledPackets > MAX_SCRAMBLED_PACKETS)
        this.#streams.reportScrambled(one);
      return;
    }
    state.isScrambled = true;
    state.interrupt();
    this.#sink.problem({ code: 'ts_scrambled', ...because('ts_pid_scrambled', { pid: state.pid }) });
    this.#announcer.giveUp(one.stream);
    this.#leaveScrambled(false);
  }

  /**
   * Leaves a programme without a clear track.
   *
   * @param ignoresSilent whether tracks without packets are ignored in this decision
   */
  #leaveScrambled(ignoresSilent: boolean): void {
    const states = this.#streams.streams.map((one) => this.#state(one.pid));
    if (states.every((one) => one.isScrambled || (ignoresSilent && one.packets === 0))) this.#tables.leaveScrambled();
  }

  #progress(pcrTicks: number, isDiscontinuity: boolean): void {
    const problem = this.#clock.reference(pcrTicks, isDiscontinuity);
    if (problem) this.#sink.problem(problem);
    this.#mediaProgress(-1, this.#clock.peek(pcrTicks));
  }

  #mediaProgress(source: number, ticks: number): void {
    const passedTicks = this.#clock.passed(source, ticks);
    this.#undeclared.progress(passedTicks);
    this.#announcer.progress(passedTicks, this.#packets * PACKET_BYTES);
  }

  #sectionsOf(pid: number, section: (section: Buffer) => void): SectionCollector {
    return new SectionCollector({
      section,
      damaged: () => {
        this.#tableErrors++;
        this.#sink.problem({ code: 'ts_bad_table', ...because('ts_section_damaged', { pid }) });
      },
    });
  }

  #setMapPids(pids: readonly number[]): void {
    const mapPids = new Set(pids);
    for (const pid of this.#mapPids) if (!mapPids.has(pid) && pid !== PAT_PID) this.#state(pid).sections = undefined;
    this.#mapPids = pids;
    for (const pid of pids) {
      if (pid === PAT_PID || pid === NULL_PID) continue;
      const state = this.#state(pid);
      state.pes?.close();
      state.pes = undefined;
      state.sections ??= this.#sectionsOf(pid, (section) => {
        this.#tables.pmt(pid, section);
      });
    }
  }

  #setProgram(pmt: Pmt): void {
    this.#declaredMap = pmt;
    this.#applyMap(pmt);
  }

  #applyMap(declaredMap: Pmt): void {
    // A reader that starts in the middle gets the result of an earlier reader.
    const pmt = this.#declaredMap ? this.#undeclared.resolve(declaredMap) : declaredMap;
    this.#map = pmt;
    for (const one of this.#leaving.values()) this.#leave(one);
    const before = this.#streams.streams;
    const spliceBefore = this.#streams.splicePids;
    this.#streams.apply(pmt);
    const { streams, splicePids } = this.#streams;
    const isIn = (list: readonly ProgramStream[], { pid, stream }: ProgramStream): boolean =>
      list.some((other) => other.pid === pid && other.stream === stream);
    for (const one of before) {
      if (isIn(streams, one)) continue;
      const isFree = !streams.some(({ pid }) => pid === one.pid);
      if (isFree && streams.some(({ stream }) => stream === one.stream)) this.#leaving.set(one.stream, one);
      else this.#leave(one);
    }
    for (const pid of spliceBefore) if (!splicePids.includes(pid)) this.#drop(pid);
    for (const pid of this.#probedPids) if (!this.#undeclared.pids.includes(pid)) this.#drop(pid);
    if (this.#pcrPid !== pmt.pcrPid) this.#clock.interrupt();
    this.#pcrPid = pmt.pcrPid;
    // The announcer must know new streams first, because their first packets may complete units.
    this.#announcer.setStreams(streams, this.#undeclared.isWaiting);
    for (const one of streams) if (!this.#mapPids.includes(one.pid) && !isIn(before, one)) this.#listen(one);
    for (const pid of splicePids) {
      if (this.#mapPids.includes(pid) || spliceBefore.includes(pid)) continue;
      this.#state(pid).sections = this.#sectionsOf(pid, (section) => {
        this.#announcer.splice({ sourceId: pid, section, atTicks: this.#clock.last });
      });
    }
    this.#probedPids = this.#undeclared.pids;
    for (const pid of this.#probedPids)
      if (!this.#mapPids.includes(pid)) this.#state(pid).pes ??= this.#undeclared.collector(pid);
    for (const { pid, stream } of streams) {
      for (const { header, bytes } of this.#undeclared.take(pid)) {
        stream.pes(header, bytes, bytes.length);
        stream.copyPending?.();
      }
    }
    this.#readEarly();
    if (this.#streams.streams.length === 0 && !this.#undeclared.isWaiting) {
      const program = pmt.programNumber;
      const codecs = unknownsOf(pmt)
        .map(({ codec }) => codec)
        .join(', ');
      this.#sink.problem({
        code: 'input_no_tracks',
        ...(codecs === ''
          ? because('ts_program_empty', { program })
          : because('ts_program_not_carried', { program, codecs })),
      });
    }
  }

  /** Stops reading a stream on its packet identifier: another stream replaces it, or it moved to another identifier. */
  #leave(left: ProgramStream | undefined): void {
    if (!left) return;
    const { pid, stream } = left;
    this.#leaving.delete(stream);
    const { pes } = this.#state(pid);
    const isMoved = this.#streams.streams.some((one) => one.stream === stream);
    if (isMoved) pes?.finish();
    else {
      pes?.interrupt();
      stream.flush?.();
    }
    this.#drop(pid);
    if (!isMoved) stream.close?.();
  }

  #drop(pid: number): void {
    if (this.#mapPids.includes(pid)) return;
    const state = this.#state(pid);
    state.pes?.close();
    state.pes = undefined;
    state.sections = undefined;
  }

  #listen({ pid, stream }: ProgramStream): void {
    const state = this.#state(pid);
    state.isScrambled = false;
    state.continuity = -1;
    state.pes?.close();
    const isMoved = this.#leaving.has(stream);
    const sink: PesSink = {
      pes: (bytes, end) => {
        const header = readPesHeader(bytes, end);
        if (!header) {
          this.#sink.problem({
            code: 'pes_bad',
            ...because('ts_pes_header_damaged', { pid }),
          });
          stream.interrupt();
          return;
        }
        if (header.isScrambled) {
          this.#scrambled(state);
          return;
        }
        stream.pes(header, bytes, end);
        if (this.#clock.last !== undefined) this.#mediaProgress(pid, this.#clock.last);
      },
      interrupted: () => {
        stream.interrupt();
      },
      rest:
        stream.rest &&
        ((bytes, end) => {
          stream.rest?.(bytes, end);
        }),
      started:
        stream.peek || isMoved
          ? (bytes, start, end) => {
              if (isMoved) this.#leave(this.#leaving.get(stream));
              if (!stream.peek) return true;
              const payload = pesPayloadAt(bytes, start, end);
              if (payload < 0) return end - start > MAX_PES_HEADER_BYTES;
              return stream.peek(bytes, payload, end);
            }
          : undefined,
      release:
        stream.copyPending &&
        (() => {
          stream.copyPending?.();
        }),
      tooLarge: () => {
        stream.interrupt();
        this.#sink.problem({
          code: 'pes_too_large',
          ...because('ts_unit_too_large', { pid }),
        });
      },
    };
    state.pes = new PesCollector(sink, this.#memory);
  }
}
