import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { AccessUnit, MediaSink } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import { readDataMessage } from '../rtmp/command.ts';
import { MESSAGE_TYPE } from '../rtmp/message.ts';
import { Announcement } from './announcement.ts';
import { CuePoints } from './cue-point.ts';
import { FlvAudioReader, isAudioReadable } from './audio-reader.ts';
import { readAudioTag } from './audio-tag.ts';
import type { FlvAudioPacket } from './audio-tag.ts';
import { codecProblem, type FlvCodec } from './four-cc.ts';
import { readMetadata } from './metadata.ts';
import type { FlvMetadata } from './metadata.ts';
import { isVideoReadable, FlvVideoReader } from './video-reader.ts';
import { readVideoTag } from './video-tag.ts';
import type { FlvVideoPacket } from './video-tag.ts';
import { INPUT_TIMESCALE } from '../../access-unit.ts';

/** 90 kHz ticks in a millisecond, the unit of FLV and RTMP. */
const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** Unrolls timestamps of 32-bit milliseconds (RTMP 1.0, section 4; FLV 10.1, section E.4.1), which wrap after 49.7 days. */
class TagTime {
  #lastMs: number | undefined;
  #unrolledMs = 0;

  /** The time of a tag in 90 kHz ticks. A tag may be up to 24.8 days before or after the one before it. */
  ticks(timestampMs: number): number {
    const stepMs = this.#lastMs === undefined ? timestampMs >>> 0 : (timestampMs - this.#lastMs) | 0;
    this.#lastMs = timestampMs;
    this.#unrolledMs += stepMs;
    return this.#unrolledMs * TICKS_PER_MS;
  }

  /**
   * Time of a data message in 90 kHz ticks. If the time is far from the newest tag, the time of that tag is returned, because
   * some encoders do not set the time of data messages.
   */
  dataTicks(timestampMs: number): number {
    const stepMs = this.#lastMs === undefined ? timestampMs >>> 0 : (timestampMs - this.#lastMs) | 0;
    const isNear = this.#lastMs === undefined || Math.abs(stepMs) <= MAX_DATA_STEP_MS;
    return (this.#unrolledMs + (isNear ? stepMs : 0)) * TICKS_PER_MS;
  }
}

/** Maximum distance of a data message from the newest tag, in milliseconds. */
const MAX_DATA_STEP_MS = 10_000;

/** Maximum bytes of access units waiting for the first set of tracks; above this limit the oldest units are dropped. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Memory of a waiting unit besides its bytes. */
const UNIT_OVERHEAD_BYTES = 256;

/** Maximum number of tracks of one kind in a multitrack stream; more are reported and left out. */
const MAX_TRACKS = 8;

/**
 * Reader of FLV tags: converts media tags to tracks and access units. The tags come from RTMP messages, which have the same types
 * and bodies (RTMP 1.0, section 7.1), or from an FLV file.
 */
export class FlvTagReader {
  readonly #sink: MediaSink;
  readonly #time = new TagTime();
  readonly #announcement = new Announcement();
  readonly #video: (FlvVideoReader | undefined)[] = [];
  readonly #audio: (FlvAudioReader | undefined)[] = [];
  readonly #cues = new CuePoints();
  readonly #refused = new Set<string>();
  /** Copies of access units before the first set of tracks. */
  #waiting: AccessUnit[] = [];
  #waitingBytes = 0;
  #announced: readonly Track[] | undefined;
  #metadata: FlvMetadata | undefined;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** The last `onMetaData`. */
  get metadata(): FlvMetadata | undefined {
    return this.#metadata;
  }

  /** Memory of units waiting for the first set of tracks. */
  get bufferedBytes(): number {
    return this.#waitingBytes;
  }

  /** Processes one tag: its type (8, 9, 15, 18; others are ignored), its time in 32-bit milliseconds, its body (borrowed). */
  push(type: number, timestampMs: number, body: Uint8Array): void {
    if (type === MESSAGE_TYPE.video) this.#pushVideo(timestampMs, body);
    else if (type === MESSAGE_TYPE.audio) this.#pushAudio(timestampMs, body);
    else if (type === MESSAGE_TYPE.dataAmf0 || type === MESSAGE_TYPE.dataAmf3) this.#pushData(type, timestampMs, body);
  }

  #pushData(type: number, timestampMs: number, body: Uint8Array): void {
    const values = readDataMessage(type, body);
    const metadata = readMetadata(values);
    if (!metadata) {
      this.#cues.take(values, this.#time.dataTicks(timestampMs), this.#sink);
      return;
    }
    this.#metadata = metadata;
    this.#announcement.promise(metadata, (content, codec) =>
      content === 'video' ? isVideoReadable(codec) : isAudioReadable(codec),
    );
  }

  #pushVideo(timestampMs: number, body: Uint8Array): void {
    if (body.length === 0) return;
    const packets = readVideoTag(body);
    if (!packets) {
      this.#sink.problem({ code: 'flv_bad_tag', ...because('video_message_damaged', { bytes: body.length }) });
      return;
    }
    const ticks = this.#time.ticks(timestampMs);
    for (const packet of packets) {
      if (packet.kind === 'config' || packet.kind === 'frame') this.#takeVideo(packet, ticks);
    }
    this.#afterTag(ticks);
  }

  #takeVideo(packet: FlvVideoPacket, ticks: number): void {
    const reader = this.#videoReader(packet);
    if (!reader) return;
    if (packet.kind === 'config') {
      reader.configure(packet.data);
      return;
    }
    const picture = reader.assemble(packet.data);
    const track = reader.track;
    if (!picture || !track) return;
    const dtsTicks = ticks + nanoTicks(packet.offsetNs);
    const ptsTicks = dtsTicks + packet.compositionTimeMs * TICKS_PER_MS;
    this.#give(
      { trackId: track.id, dtsTicks, ptsTicks, isRandomAccess: picture.isRandomAccess, data: picture.data },
      track,
    );
  }

  #videoReader(packet: FlvVideoPacket): FlvVideoReader | undefined {
    const reader = this.#video[packet.trackNumber];
    if (reader?.codec === packet.codec) return reader;
    if (!isVideoReadable(packet.codec)) return this.#refuse('video', packet.codec);
    if (packet.trackNumber >= MAX_TRACKS)
      return this.#refuse('video', `${packet.codec} of track ${packet.trackNumber}`);
    const created = new FlvVideoReader(packet.codec, `v${packet.trackNumber + 1}`, (problem) =>
      this.#sink.problem(problem),
    );
    this.#video[packet.trackNumber] = created;
    return created;
  }

  #pushAudio(timestampMs: number, body: Uint8Array): void {
    if (body.length === 0) return;
    const packets = readAudioTag(body);
    if (!packets) {
      this.#sink.problem({ code: 'flv_bad_tag', ...because('audio_message_damaged', { bytes: body.length }) });
      return;
    }
    const ticks = this.#time.ticks(timestampMs);
    for (const packet of packets) {
      if (packet.kind === 'config' || packet.kind === 'frame') this.#takeAudio(packet, ticks);
    }
    this.#afterTag(ticks);
  }

  #takeAudio(packet: FlvAudioPacket, ticks: number): void {
    const reader = this.#audioReader(packet);
    if (!reader) return;
    if (packet.kind === 'config') {
      reader.configure(packet.data);
      return;
    }
    reader.frames(packet.data, ticks + nanoTicks(packet.offsetNs), (data, dtsTicks) => {
      const track = reader.track;
      if (!track) return;
      this.#give({ trackId: track.id, dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data }, track);
    });
  }

  #audioReader(packet: FlvAudioPacket): FlvAudioReader | undefined {
    const reader = this.#audio[packet.trackNumber];
    if (reader?.codec === packet.codec) return reader;
    if (!isAudioReadable(packet.codec)) return this.#refuse('audio', packet.codec);
    if (packet.trackNumber >= MAX_TRACKS)
      return this.#refuse('audio', `${packet.codec} of track ${packet.trackNumber}`);
    const created = new FlvAudioReader(packet.codec, `a${packet.trackNumber + 1}`, (problem) =>
      this.#sink.problem(problem),
    );
    this.#audio[packet.trackNumber] = created;
    return created;
  }

  /** Reports each unsupported codec once. */
  #refuse(content: 'video' | 'audio', codec: FlvCodec): undefined {
    const key = `${content} ${codec}`;
    if (!this.#refused.has(key) && this.#refused.size < 64) {
      this.#refused.add(key);
      this.#sink.problem(codecProblem(content, codec));
    }
    return undefined;
  }

  /**
   * Emits an access unit, or keeps a copy until the tracks are announced. The first unit triggers the announcement, not the last
   * configuration: `onMetaData` does not state the number of tracks, and all configurations come before the frames.
   */
  #give(unit: AccessUnit, track: Track): void {
    if (this.#announced || this.#isComplete()) {
      if (!this.#announced?.includes(track)) this.#announce();
      this.#sink.accessUnit(unit);
      return;
    }
    this.#waiting.push({ ...unit, data: Uint8Array.from(unit.data) });
    this.#waitingBytes += unit.data.length + UNIT_OVERHEAD_BYTES;
    while (this.#waitingBytes > MAX_WAITING_BYTES)
      this.#waitingBytes -= (this.#waiting.shift()?.data.length ?? 0) + UNIT_OVERHEAD_BYTES;
  }

  #afterTag(ticks: number): void {
    if (this.#announced || !this.#announcement.isOverdue(ticks)) return;
    if (this.#tracks().length > 0) this.#announce();
    else this.#reportMissing();
  }

  #reportMissing(): void {
    if (this.#refused.has('config') || this.#readers().length === 0) return;
    this.#refused.add('config');
    this.#sink.problem({
      code: 'codec_no_config',
      ...because('config_missing'),
    });
  }

  #announce(): void {
    const tracks = this.#tracks();
    this.#announced = tracks;
    this.#sink.tracks(tracks);
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const unit of waiting) this.#sink.accessUnit(unit);
  }

  #readers(): (FlvVideoReader | FlvAudioReader)[] {
    return [...this.#video, ...this.#audio].filter((reader) => reader !== undefined);
  }

  #tracks(): Track[] {
    return this.#readers().flatMap((reader) => reader.track ?? []);
  }

  #isComplete(): boolean {
    return this.#announcement.isComplete(
      this.#readers().map((reader) => ({
        content: reader instanceof FlvVideoReader ? 'video' : 'audio',
        isReady: reader.track !== undefined,
      })),
    );
  }
}

function nanoTicks(offsetNs: number): number {
  return Math.round((offsetNs * TICKS_PER_MS) / 1_000_000);
}
