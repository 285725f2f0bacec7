import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { AudioTrack } from '../../track.ts';
import type { AssemblerOptions, AudioSplitter } from '../assembler.ts';
import { readOpusControlHeader } from './control-header.ts';
import type { OpusConfig } from './opus-config.ts';
import { opusSamples } from './toc.ts';
import { opusTrack } from './track.ts';

const SYNC_BYTE = 0x7f;

/** Splits Opus in MPEG-TS, with control headers, into packets. The configuration comes from the PMT (`opusConfigOfCode`). */
export class OpusSplitter implements AudioSplitter {
  readonly #options: AssemblerOptions;
  readonly #config: OpusConfig;
  #track: AudioTrack | undefined;
  #carry = Buffer.alloc(0);
  #isLocked = false;

  constructor(config: OpusConfig, options: AssemblerOptions) {
    this.#config = config;
    this.#options = options;
  }

  get track(): AudioTrack | undefined {
    return this.#track;
  }

  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void {
    const carried = this.#carry.length;
    const input = carried > 0 ? Buffer.concat([this.#carry, bytes]) : bytes;
    const end = input.length;
    let at = 0;
    while (at < end) {
      const header = readOpusControlHeader(input, at, end);
      if (header === 'partial') break;
      if (header === 'none') {
        this.#lose();
        const next = input.indexOf(SYNC_BYTE, at + 1);
        at = next < 0 ? end : next;
        continue;
      }
      const start = at + header.headerBytes;
      if (start + header.packetBytes > end) break;
      this.#isLocked = true;
      this.#give(input.subarray(start, start + header.packetBytes), at >= carried, frame);
      at = start + header.packetBytes;
    }
    // Less than one packet is kept; the header limits the size of a packet.
    this.#carry = at < end ? Buffer.from(input.subarray(at, end)) : Buffer.alloc(0);
  }

  reset(): void {
    this.#carry = Buffer.alloc(0);
    this.#isLocked = false;
  }

  #give(
    packet: Uint8Array,
    startsInThisCall: boolean,
    frame: (data: Uint8Array, startsInThisCall: boolean) => void,
  ): void {
    const samples = opusSamples(packet);
    if (samples === 0) {
      this.#options.problem({ code: 'codec_bad_frame', ...because('opus_packet_length') });
      return;
    }
    this.#track ??= opusTrack(this.#config, this.#options, samples);
    frame(packet, startsInThisCall);
  }

  #lose(): void {
    if (!this.#isLocked) return;
    this.#isLocked = false;
    this.#options.problem({ code: 'codec_bad_frame', ...because('data_between_frames', { codec: 'Opus' }) });
  }
}
