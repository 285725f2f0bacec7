import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { ADTS_HEADER_BYTES, adtsFrameBytes, readAdtsHeader } from '../../codecs/aac/adts.ts';
import { trackFromAdtsFrame } from '../../codecs/aac/splitter.ts';
import { trackFromAudioSpecificConfig } from '../../codecs/aac/track.ts';
import { Ac3Splitter } from '../../codecs/ac3/splitter.ts';
import type { AssemblerOptions, AudioSplitter } from '../../codecs/assembler.ts';
import { frameSamples, frameTicks } from '../../timing/frame-samples.ts';
import { MpegAudioSplitter } from '../../codecs/mp3/splitter.ts';
import { readOpusHead } from '../../codecs/opus/opus-config.ts';
import { opusTrack, trackFromOpusHead } from '../../codecs/opus/track.ts';
import type { AudioTrack } from '../../track.ts';
import type { FlvCodec } from './four-cc.ts';

/** Receives frames with their times in 90 kHz ticks. The bytes are borrowed. */
export type FlvFrameReceiver = (data: Uint8Array, ticks: number) => void;

/** Formats that need a configuration, and the function that creates a track from the configuration. */
const CONFIGURED: Readonly<Record<string, typeof trackFromAudioSpecificConfig>> = {
  mp4a: trackFromAudioSpecificConfig,
  Opus: trackFromOpusHead,
};

/** Self-describing formats. */
const SELF_FRAMING: Readonly<Record<string, (options: AssemblerOptions) => AudioSplitter>> = {
  '.mp3': (options) => new MpegAudioSplitter(options),
  'ac-3': (options) => new Ac3Splitter(options),
  'ec-3': (options) => new Ac3Splitter(options),
};

/** Whether audio of this codec can be read. */
export function isAudioReadable(codec: FlvCodec): boolean {
  return Object.hasOwn(CONFIGURED, codec) || Object.hasOwn(SELF_FRAMING, codec);
}

/** Converts one audio track of an FLV stream to access units. */
export class FlvAudioReader {
  readonly codec: FlvCodec;
  readonly #trackId: string;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #splitter: AudioSplitter | undefined;
  #config: Uint8Array = new Uint8Array(0);
  #track: AudioTrack | undefined;
  /** Whether the duration of a packet was read since the last configuration. */
  #isMeasured = false;
  /** Time of a frame that started in an earlier tag. */
  #carriedTicks: number | undefined;

  constructor(codec: FlvCodec, trackId: string, problem: (problem: FormatProblem) => void) {
    this.codec = codec;
    this.#trackId = trackId;
    this.#problem = problem;
    this.#splitter = SELF_FRAMING[codec]?.({ trackId, problem });
  }

  /** Current format; a change of format gives another object. */
  get track(): AudioTrack | undefined {
    return this.#splitter ? this.#splitter.track : this.#track;
  }

  /** Processes a decoder configuration; an unchanged one has no effect. */
  configure(config: Uint8Array): void {
    if (this.#splitter || Buffer.compare(config, this.#config) === 0) return;
    const options = { trackId: this.#trackId };
    const track =
      CONFIGURED[this.codec]?.(config, options) ??
      (this.codec === 'mp4a' ? trackFromAdtsFrame(config, options) : undefined);
    if (!track) {
      this.#problem({
        code: 'codec_bad_config',
        ...because('audio_config_damaged', { codec: this.codec }),
      });
      return;
    }
    this.#config = Uint8Array.from(config);
    this.#isMeasured = false;
    this.#track = track;
  }

  /** Emits the frames of a tag at time `ticks`. AAC without ADTS headers and Opus need a configuration first. */
  frames(data: Uint8Array, ticks: number, receive: FlvFrameReceiver): void {
    if (this.#splitter) this.#split(this.#splitter, data, ticks, receive);
    else if (this.codec === 'mp4a' && data.length > 0 && adtsFrameEnd(data, 0) > 0) this.#strip(data, ticks, receive);
    else if (this.#track && data.length > 0) {
      if (this.codec === 'Opus') this.#measureOpus(this.#track, data);
      receive(data, ticks);
    }
  }

  /** Emits the frames of a tag without their ADTS headers, which belong only in transport streams. */
  #strip(data: Uint8Array, ticks: number, receive: FlvFrameReceiver): void {
    this.#track ??= trackFromAdtsFrame(data, { trackId: this.#trackId });
    const track = this.#track;
    if (!track) return;
    const stepTicks = (track.samplesPerFrame * INPUT_TIMESCALE) / track.sampleRate;
    let frames = 0;
    for (let at = 0, end = adtsFrameEnd(data, at); end > at; at = end, end = adtsFrameEnd(data, at)) {
      const header = readAdtsHeader(data, at);
      if (header?.blocks === 1)
        receive(data.subarray(at + header.headerBytes, end), ticks + Math.round(frames * stepTicks));
      else
        this.#problem({
          code: 'codec_bad_frame',
          ...because('adts_blocks'),
        });
      frames += header?.blocks ?? 1;
    }
  }

  #split(splitter: AudioSplitter, data: Uint8Array, ticks: number, receive: FlvFrameReceiver): void {
    let nextTicks = ticks;
    splitter.split(data, (frame, startsInThisTag) => {
      const track = splitter.track;
      if (!track) return;
      receive(frame, startsInThisTag ? nextTicks : (this.#carriedTicks ?? ticks));
      if (startsInThisTag) nextTicks += Math.round(frameTicks(track, frame));
    });
    this.#carriedTicks = nextTicks;
  }

  /** Sets the duration of a packet, which is in the first packet and not in the configuration. */
  #measureOpus(track: AudioTrack, packet: Uint8Array): void {
    if (this.#isMeasured) return;
    this.#isMeasured = true;
    const samples = frameSamples(track, packet);
    const config = samples === track.samplesPerFrame ? undefined : readOpusHead(this.#config);
    if (config) this.#track = opusTrack(config, { trackId: this.#trackId }, samples);
  }
}

/**
 * End of the ADTS frame that starts at `at`; 0 unless a complete one starts there. A raw data block never starts with the sync
 * word, because its first three bits would be `ID_END` (ISO/IEC 14496-3, 4.4.2.1).
 */
function adtsFrameEnd(data: Uint8Array, at: number): number {
  const length = at + ADTS_HEADER_BYTES <= data.length ? adtsFrameBytes(data, at) : 0;
  return length > 0 && at + length <= data.length ? at + length : 0;
}
