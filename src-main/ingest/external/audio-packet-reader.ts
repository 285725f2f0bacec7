import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FeedStream } from '../../lib/feed/feed-description.ts';
import { AdtsSplitter } from '../../media/codecs/aac/splitter.ts';
import { trackFromAudioSpecificConfig } from '../../media/codecs/aac/track.ts';
import { Ac3Splitter } from '../../media/codecs/ac3/splitter.ts';
import type { AssemblerOptions, AudioSplitter } from '../../media/codecs/assembler.ts';
import { frameTicks } from '../../media/timing/frame-samples.ts';
import { MpegAudioSplitter } from '../../media/codecs/mp3/splitter.ts';
import { type OpusConfig, readOpusHead } from '../../media/codecs/opus/opus-config.ts';
import { opusSamples } from '../../media/codecs/opus/toc.ts';
import { opusTrack } from '../../media/codecs/opus/track.ts';
import type { AudioTrack } from '../../media/track.ts';
import type { PacketReaderOptions, UnitReceiver, PacketReader } from './packet-reader.ts';

/** Usual encoder delay, in samples. It is used if no header states the delay. */
const USUAL_PRE_SKIP = 312;

/** Converts audio packets to frames. */
export class AudioPacketReader implements PacketReader {
  readonly #codec: string;
  readonly #assembler: AssemblerOptions;
  /** Splits packets whose frames have their own headers; undefined for frames that need the configuration of the container. */
  #splitter: AudioSplitter | undefined;
  #config: Uint8Array | undefined;
  #opus: OpusConfig | undefined;
  #track: AudioTrack | undefined;
  /** Time of a frame that started in an earlier packet. */
  #carriedTicks: number | undefined;

  constructor(stream: FeedStream, { trackId, problem }: PacketReaderOptions) {
    this.#codec = stream.codec;
    this.#assembler = {
      trackId,
      problem,
      sourceId: stream.index,
      ...(stream.language === undefined ? {} : { language: stream.language }),
    };
    this.describe(stream);
  }

  get track(): AudioTrack | undefined {
    return this.#splitter ? this.#splitter.track : this.#track;
  }

  describe({ config, channels }: FeedStream): void {
    if (this.#config && Buffer.compare(config, this.#config) === 0) return;
    this.#config = config;
    if (this.#codec === 'opus') this.#describeOpus(config, channels);
    else if (this.#codec === 'aac' && config.length > 0) this.#describeAac(config);
    else this.#splitter ??= this.#makeSplitter();
  }

  push(data: Uint8Array, _dtsTicks: number, ptsTicks: number, receive: UnitReceiver): void {
    if (this.#splitter) {
      this.#split(this.#splitter, data, ptsTicks, receive);
      return;
    }
    if (this.#opus) this.#measureOpus(this.#opus, data);
    if (this.#track && data.length > 0) receive(data, ptsTicks, ptsTicks, true);
  }

  restart(): void {
    this.#splitter?.reset();
    this.#carriedTicks = undefined;
  }

  #makeSplitter(): AudioSplitter {
    if (this.#codec === 'aac') return new AdtsSplitter(this.#assembler);
    return this.#codec === 'ac3' || this.#codec === 'eac3'
      ? new Ac3Splitter(this.#assembler)
      : new MpegAudioSplitter(this.#assembler);
  }

  #describeAac(config: Uint8Array): void {
    const track = trackFromAudioSpecificConfig(config, this.#assembler);
    this.#splitter = undefined;
    if (track) this.#track = track;
    else
      this.#assembler.problem({
        code: 'codec_bad_config',
        ...because('audio_config_damaged', { codec: 'AAC' }),
      });
  }

  #describeOpus(config: Uint8Array, channels: number): void {
    const plain = {
      channels: channels === 1 ? 1 : 2,
      preSkip: USUAL_PRE_SKIP,
      inputSampleRate: 48_000,
      outputGain: 0,
      mappingFamily: 0,
    };
    this.#opus = readOpusHead(config) ?? plain;
    this.#track = opusTrack(this.#opus, this.#assembler, this.#track?.samplesPerFrame);
  }

  /** Measures the duration of a frame from a packet, because the configuration does not state it. */
  #measureOpus(config: OpusConfig, packet: Uint8Array): void {
    const samples = opusSamples(packet);
    if (samples > 0 && samples !== this.#track?.samplesPerFrame)
      this.#track = opusTrack(config, this.#assembler, samples);
  }

  #split(splitter: AudioSplitter, data: Uint8Array, ticks: number, receive: UnitReceiver): void {
    let nextTicks = ticks;
    splitter.split(data, (frame, startsInThisCall) => {
      const at = startsInThisCall ? nextTicks : (this.#carriedTicks ?? ticks);
      receive(frame, at, at, true);
      const { track } = splitter;
      if (startsInThisCall && track) nextTicks += Math.round(frameTicks(track, frame));
    });
    this.#carriedTicks = nextTicks;
  }
}
