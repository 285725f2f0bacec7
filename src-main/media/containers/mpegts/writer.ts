import type { AccessUnit } from '../../access-unit.ts';
import { frameTicks } from '../../timing/frame-samples.ts';
import { trackNumber, type Track } from '../../track.ts';
import { DESCRIPTOR, registration } from './descriptor.ts';
import { PidOutput, PacketOutput } from './packet-output.ts';
import { NULL_PID, PAT_PID } from './packet.ts';
import { writePat } from './pat.ts';
import { writePesHeader, type PesHeader } from './pes-header.ts';
import { writePmt } from './pmt.ts';
import { STREAM_TYPE } from './stream-kind.ts';
import { trackForm, type TrackForm } from './track-form.ts';

export interface MpegTsWriterOptions {
  /** Maximum time between two copies of the tables, in 90 kHz ticks; default 9000 (100 ms). */
  readonly tableIntervalTicks?: number;
  /** Maximum time between two clock references, in 90 kHz ticks; default 3600 (40 ms). */
  readonly pcrIntervalTicks?: number;
  /** Difference between decoding times and the clock reference (PCR), in 90 kHz ticks; default 63 000 (0.7 s). */
  readonly delayTicks?: number;
  /** Whether the programme has a stream of splice information sections (SCTE-35); default false. */
  readonly hasSplices?: boolean;
  /** Continuity counters to continue, from `continuity` of the previous writer; default: all 0. */
  readonly continuity?: ReadonlyMap<number, number>;
  /** Whether the first packet of each PID states that its counter does not continue; default false. */
  readonly marksRestart?: boolean;
  /** Number of the programme; default 1. */
  readonly programNumber?: number;
  /** PIDs other than the default ones. A PID that is in use is replaced by the next free one. */
  readonly pids?: TsPids;
}

/** PIDs of a programme, of its map and its tracks. */
export interface TsPids {
  readonly pmt?: number;
  /** PID of the first video track and of the first audio track; further tracks have the PIDs after it. */
  readonly video?: number;
  readonly audio?: number;
}

const TRANSPORT_STREAM_ID = 1;
const DEFAULT_PROGRAM = 1;
/** Default PID of the programme map. */
export const PMT_PID = 0x1000;
const FIRST_TRACK_PID = 0x100;
const SPLICE_PID = 0x1f0;

/**
 * Limits (bytes, then ticks) of the audio frames that are collected in one PES packet: one PES packet per frame would double
 * the size of the audio.
 */
const MAX_GATHERED_BYTES = 2800;
const MAX_GATHERED_TICKS = 9000;

/** Maximum step of the clock that is filled with references; a longer one is a jump. */
const MAX_CLOCK_STEP_TICKS = 90_000;

const FIRST_SCRATCH_BYTES = 64 * 1024;
const MAX_PES_LENGTH = 0xffff;

interface ElementaryOutput extends PidOutput {
  readonly form: TrackForm;
  readonly track: Track;
  readonly isAudio: boolean;
  readonly streamId: number;
  /** Whether a unit of the track was written; for video, a picture with its parameter sets. */
  hasStarted: boolean;
}

/** Audio frames collected for one PES packet. */
interface Gathered {
  readonly scratch: Buffer;
  bytes: number;
  startTicks: number;
  nextTicks: number;
}

/**
 * Writes tracks and their access units as an MPEG transport stream with one programme. Units come in sending order, with times in
 * 90 kHz ticks of any size; the stream carries their low 33 bits. The same calls give the same bytes. The PID of a track depends
 * only on the track.
 */
export class MpegTsWriter {
  readonly #output = new PacketOutput();
  readonly #options: MpegTsWriterOptions;
  readonly #counters: Map<number, number>;
  readonly #restarted = new Set<number>();
  #hasSplices: boolean;
  #pat: PidOutput;
  #pmt: PidOutput;
  #splice: PidOutput;
  #pidOutputs = new Map<string, ElementaryOutput>();
  readonly #gathered = new Map<string, Gathered>();
  #clockOutput: PidOutput | undefined;
  #patSection: Uint8Array = new Uint8Array(0);
  #pmtSection: Uint8Array = new Uint8Array(0);
  #version = -1;
  #tablesAtTicks: number | undefined;
  #clockAtTicks: number | undefined;
  /** Whether the next clock reference does not continue the last one. */
  #isNewTimeline = false;
  #scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES);

  constructor(tracks: readonly Track[], options: MpegTsWriterOptions = {}) {
    this.#options = options;
    this.#hasSplices = options.hasSplices === true;
    this.#counters = new Map(options.continuity);
    this.#pat = this.#pidOutput(PAT_PID);
    this.#pmt = this.#pidOutput(options.pids?.pmt ?? PMT_PID);
    this.#splice = this.#pidOutput(this.#pmt.pid === SPLICE_PID ? SPLICE_PID + 1 : SPLICE_PID);
    this.setTracks(tracks);
  }

  /** Bytes of the pending packets. */
  get length(): number {
    return this.#output.length;
  }

  /** Continuity counter of the next packet of each PID, for the writer that continues. */
  get continuity(): ReadonlyMap<number, number> {
    const all = [this.#pat, this.#pmt, this.#splice, ...this.#pidOutputs.values()];
    return new Map([...this.#counters, ...all.map(({ pid, continuity }): [number, number] => [pid, continuity])]);
  }

  /** Replaces the tracks; the tables announce them before the next access unit. */
  setTracks(tracks: readonly Track[]): void {
    this.flush();
    for (const { pid, continuity } of this.#pidOutputs.values()) this.#counters.set(pid, continuity);
    this.#pidOutputs = new Map();
    this.#gathered.clear();
    const taken = new Set([this.#pmt.pid, this.#splice.pid]);
    for (const track of tracks) {
      const form = trackForm(track);
      const isAudio = track.content === 'audio';
      const number = trackNumber(track.id);
      const pidOutput = this.#pidOutput(freePid(this.#preferredPid(track), taken));
      taken.add(pidOutput.pid);
      this.#pidOutputs.set(
        track.id,
        Object.assign(pidOutput, {
          form,
          track,
          isAudio,
          streamId: form.streamId + (form.isNumbered ? ((number - 1) >> 1) & 0x0f : 0),
          hasStarted: false,
        }),
      );
    }
    const pidOutputs = [...this.#pidOutputs.values()];
    this.#clockOutput = pidOutputs.find((pidOutput) => !pidOutput.isAudio) ?? pidOutputs[0];
    this.#version = this.#version < 0 ? versionOf(pidOutputs) : (this.#version + 1) & 0x1f;
    this.#writeTables(pidOutputs);
    this.startSegment();
  }

  /** PID of the clock references. */
  get clockPid(): number {
    return this.#clockOutput?.pid ?? NULL_PID;
  }

  /** Adds the stream of splice information sections, which the tables announce before the next access unit. */
  addSplices(): void {
    if (this.#hasSplices) return;
    this.#hasSplices = true;
    this.setTracks([...this.#pidOutputs.values()].map(({ track }) => track));
  }

  /** Reserves memory for about this number of further bytes. */
  reserve(bytes: number): void {
    this.#output.reserve(bytes);
  }

  /** Starts a segment: the tables and a clock reference come before its first access unit. */
  startSegment(): void {
    this.flush();
    this.#tablesAtTicks = undefined;
    this.#clockAtTicks = undefined;
  }

  /**
   * Starts a segment before which the time jumps: the next clock reference is marked with the discontinuity indicator (ISO/IEC
   * 13818-1, 2.4.3.5).
   */
  startTimeline(): void {
    this.startSegment();
    this.#isNewTimeline = true;
  }

  /** Writes one access unit, in the form of `AccessUnit`. Units of unknown tracks are left out. */
  accessUnit(unit: AccessUnit): void {
    const pidOutput = this.#pidOutputs.get(unit.trackId);
    if (!pidOutput) return;
    this.#flushBefore(unit.dtsTicks);
    if (pidOutput.isAudio) this.#gather(pidOutput, unit);
    else this.#writeUnit(pidOutput, unit);
  }

  /** Writes a splice information section; its times are those of this stream. Without `hasSplices` it is left out. */
  splice(section: Uint8Array): void {
    if (!this.#hasSplices) return;
    this.#output.section(this.#splice, section, this.#isRestart(this.#splice));
  }

  /** Writes the collected audio frames. */
  flush(): void {
    for (const [trackId, gathered] of this.#gathered) this.#flushTrack(trackId, gathered);
  }

  /** Takes all packets so far, including collected audio frames. They belong to the caller. */
  take(): Buffer {
    this.flush();
    return this.#output.take();
  }

  /** Takes the packets so far without the collected audio frames, which need fewer packets later. */
  takeComplete(): Buffer {
    return this.#output.take();
  }

  #preferredPid({ content, id }: Track): number {
    const first = this.#options.pids?.[content];
    return first === undefined ? FIRST_TRACK_PID + trackNumber(id) - 1 : first + Number(id.slice(1)) - 1;
  }

  #pidOutput(pid: number): PidOutput {
    return new PidOutput(pid, this.#counters.get(pid) ?? 0);
  }

  #writeTables(pidOutputs: readonly ElementaryOutput[]): void {
    const header = { version: this.#version, isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
    const streams = pidOutputs.map(({ pid, form }) => ({
      pid,
      streamType: form.streamType,
      descriptors: form.descriptors,
    }));
    if (this.#hasSplices) {
      // cue_stream_type 1: all commands (SCTE 35, table 4).
      const descriptors = [{ tag: DESCRIPTOR.cueIdentifier, data: Uint8Array.of(1) }];
      streams.push({ pid: this.#splice.pid, streamType: STREAM_TYPE.splice, descriptors });
    }
    const { programNumber = DEFAULT_PROGRAM } = this.#options;
    const programs = [{ programNumber, pmtPid: this.#pmt.pid }];
    this.#patSection = writePat({ ...header, version: 0, transportStreamId: TRANSPORT_STREAM_ID, programs });
    this.#pmtSection = writePmt({
      ...header,
      programNumber,
      pcrPid: this.clockPid,
      descriptors: this.#hasSplices ? [registration('CUEI')] : [],
      streams,
    });
  }

  /** Whether the next packet of this PID is the first one and has to announce the restart of its counter. */
  #isRestart(pidOutput: PidOutput): boolean {
    if (!this.#options.marksRestart || this.#restarted.has(pidOutput.pid)) return false;
    this.#restarted.add(pidOutput.pid);
    return true;
  }

  /** Writes tables and clock references that are due before a unit of this decoding time. */
  #prepare(dtsTicks: number): void {
    const tablesAt = this.#tablesAtTicks;
    const { tableIntervalTicks = 9000, pcrIntervalTicks = 3600 } = this.#options;
    if (tablesAt === undefined || Math.abs(dtsTicks - tablesAt) >= tableIntervalTicks) {
      this.#tablesAtTicks = dtsTicks;
      this.#output.section(this.#pat, this.#patSection, this.#isRestart(this.#pat));
      this.#output.section(this.#pmt, this.#pmtSection, this.#isRestart(this.#pmt));
    }
    const clockAt = this.#clockAtTicks;
    if (clockAt === undefined || !this.#clockOutput || dtsTicks - clockAt > MAX_CLOCK_STEP_TICKS) return;
    for (let at = clockAt + pcrIntervalTicks; at < dtsTicks; at += pcrIntervalTicks)
      this.#writeClock(this.#clockOutput, at);
  }

  #writeClock(pidOutput: PidOutput, dtsTicks: number): void {
    this.#clockAtTicks = dtsTicks;
    this.#output.clock(pidOutput, dtsTicks - (this.#options.delayTicks ?? 63_000));
  }

  #writeUnit(pidOutput: ElementaryOutput, unit: AccessUnit): void {
    const scratch = this.#room(unit.data.length + pidOutput.form.overheadBytes + 19);
    const isSame = unit.ptsTicks === unit.dtsTicks;
    const header = {
      streamId: pidOutput.streamId,
      packetLengthBytes: 0,
      ptsTicks: unit.ptsTicks,
      isAligned: true,
      isScrambled: false,
    };
    const needsSets = unit.isRandomAccess || !pidOutput.hasStarted;
    const end = pidOutput.form.write(scratch, isSame ? 14 : 19, unit.data, needsSets);
    pidOutput.hasStarted = true;
    this.#writePes(
      pidOutput,
      scratch,
      end,
      isSame ? header : { ...header, dtsTicks: unit.dtsTicks },
      unit.dtsTicks,
      unit.isRandomAccess,
    );
  }

  #writePes(
    pidOutput: ElementaryOutput,
    scratch: Buffer,
    end: number,
    header: PesHeader,
    dtsTicks: number,
    isRandomAccess: boolean,
  ): void {
    this.#prepare(dtsTicks);
    // Only video may omit its length (2.4.3.7). A stated length saves receivers from waiting for the next picture.
    const length = end - 6;
    writePesHeader({ ...header, packetLengthBytes: length > MAX_PES_LENGTH ? 0 : length }, scratch);
    const clockAt = this.#clockAtTicks;
    const { pcrIntervalTicks = 3600, delayTicks = 63_000 } = this.#options;
    const isClockDue =
      pidOutput === this.#clockOutput &&
      (clockAt === undefined || dtsTicks > clockAt || clockAt - dtsTicks > pcrIntervalTicks);
    if (isClockDue) this.#clockAtTicks = dtsTicks;
    const isDiscontinuity =
      this.#isRestart(pidOutput) ||
      (isClockDue && this.#isNewTimeline) ||
      (isClockDue && clockAt !== undefined && Math.abs(dtsTicks - clockAt) > MAX_CLOCK_STEP_TICKS);
    if (isClockDue) this.#isNewTimeline = false;
    this.#output.payload(pidOutput, scratch, end, {
      isRandomAccess,
      isDiscontinuity,
      pcrTicks: isClockDue ? dtsTicks - delayTicks : undefined,
    });
  }

  #gather(pidOutput: ElementaryOutput, unit: AccessUnit): void {
    const { track } = pidOutput;
    const durationTicks = track.content === 'audio' ? frameTicks(track, unit.data) : 0;
    const maxBytes = unit.data.length + pidOutput.form.overheadBytes;
    let gathered = this.#gathered.get(unit.trackId);
    if (gathered && gathered.bytes > 0) {
      const isNext = Math.abs(unit.ptsTicks - gathered.nextTicks) <= durationTicks / 2;
      if (!isNext || gathered.bytes + maxBytes > MAX_GATHERED_BYTES) this.#flushTrack(unit.trackId, gathered);
    }
    if (!gathered || 14 + maxBytes > gathered.scratch.length) {
      gathered = {
        scratch: Buffer.allocUnsafeSlow(Math.max(14 + maxBytes, 14 + MAX_GATHERED_BYTES)),
        bytes: 0,
        startTicks: 0,
        nextTicks: 0,
      };
      this.#gathered.set(unit.trackId, gathered);
    }
    if (gathered.bytes === 0) {
      gathered.startTicks = unit.ptsTicks;
      gathered.nextTicks = unit.ptsTicks;
    }
    gathered.bytes = pidOutput.form.write(gathered.scratch, 14 + gathered.bytes, unit.data, true) - 14;
    gathered.nextTicks += durationTicks;
  }

  /** Writes audio frames that have waited long enough, before a unit of this time. */
  #flushBefore(dtsTicks: number): void {
    for (const [trackId, gathered] of this.#gathered) {
      if (gathered.bytes > 0 && Math.abs(dtsTicks - gathered.startTicks) >= MAX_GATHERED_TICKS)
        this.#flushTrack(trackId, gathered);
    }
  }

  #flushTrack(trackId: string, gathered: Gathered): void {
    const pidOutput = this.#pidOutputs.get(trackId);
    const { bytes, startTicks, scratch } = gathered;
    gathered.bytes = 0;
    if (!pidOutput || bytes === 0) return;
    const header = {
      streamId: pidOutput.streamId,
      packetLengthBytes: 0,
      ptsTicks: startTicks,
      isAligned: true,
      isScrambled: false,
    };
    this.#writePes(pidOutput, scratch, 14 + bytes, header, startTicks, true);
  }

  #room(bytes: number): Buffer {
    if (this.#scratch.length < bytes) this.#scratch = Buffer.allocUnsafeSlow(Math.max(bytes, this.#scratch.length * 2));
    return this.#scratch;
  }
}

/** First PID from `pid` on that is not taken. */
function freePid(pid: number, taken: ReadonlySet<number>): number {
  return taken.has(pid) ? freePid(pid + 1 < NULL_PID ? pid + 1 : FIRST_TRACK_PID, taken) : pid;
}

/**
 * Version of the first programme map (version_number, ISO/IEC 13818-1, 2.4.4.9), computed from the tracks alone: it changes if a
 * track is added, removed or changes its format, so that separately written streams played one after another have other versions
 * if their maps differ.
 */
function versionOf(pidOutputs: readonly ElementaryOutput[]): number {
  return pidOutputs.reduce((version, { pid, form }) => version ^ (1 + ((pid + 7 * form.streamType) % 31)), 0);
}
