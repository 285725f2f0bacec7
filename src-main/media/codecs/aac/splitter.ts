import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { AudioTrack } from '../../track.ts';
import type { AssemblerOptions } from '../assembler.ts';
import { FrameSplitter, type FrameFormat } from '../frame-splitter.ts';
import { BitReader } from '../nal/bit-reader.ts';
import { ADTS_HEADER_BYTES, adtsFrameBytes, MAX_ADTS_FRAME_BYTES, readAdtsHeader } from './adts.ts';
import type { AdtsHeader } from './adts.ts';
import { PROGRAM_CONFIG_ELEMENT, readProgramConfig } from './program-config.ts';
import type { ProgramConfig } from './program-config.ts';
import type { TrackOptions } from '../track-options.ts';
import { trackFromConfig } from './track.ts';

const FORMAT: FrameFormat = {
  name: 'AAC',
  syncByte: 0xff,
  headerBytes: ADTS_HEADER_BYTES,
  maxFrameBytes: MAX_ADTS_FRAME_BYTES,
  frameBytesAt: adtsFrameBytes,
};

/**
 * Splits ADTS into raw AAC frames. Frames with several raw data blocks cannot be split without decoding: they are reported and
 * left out.
 */
export class AdtsSplitter extends FrameSplitter {
  /** Header fields of the track, as one number. */
  #key = -1;
  #reportedBlocks = false;

  constructor(options: AssemblerOptions) {
    super(FORMAT, options);
  }

  protected override receive(bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void {
    const second = bytes[start + 1] ?? 0;
    const headerBytes = second & 1 ? 7 : 9;
    if ((bytes[start + 6] ?? 0) & 3) {
      this.#refuseBlocks();
      return;
    }
    // The key has profile, frequency and channels, but not the private bit.
    const key = (((bytes[start + 2] ?? 0) & 0xfd) << 2) | ((bytes[start + 3] ?? 0) >>> 6);
    if (key !== this.#key) this.#learn(bytes, start, end, key);
    if (this.current) this.give(bytes.subarray(start + headerBytes, end), startsInThisCall);
  }

  #learn(bytes: Uint8Array, start: number, end: number, key: number): void {
    // Nothing can be decoded before the first program config element. The element is repeated, so the splitter waits for it.
    const track = trackFromAdtsFrame(bytes.subarray(start, end), this.options);
    if (!track) return;
    this.#key = key;
    this.current = track;
  }

  #refuseBlocks(): void {
    if (this.#reportedBlocks) return;
    this.#reportedBlocks = true;
    this.options.problem({
      code: 'codec_bad_frame',
      ...because('adts_blocks'),
    });
  }
}

/** Track of an ADTS frame; undefined if the frame is invalid or does not state its channels. */
export function trackFromAdtsFrame(frame: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const header = readAdtsHeader(frame);
  if (!header) return undefined;
  const programConfig =
    header.channelConfiguration === 0 ? findProgramConfig(frame.subarray(header.headerBytes)) : undefined;
  if (header.channelConfiguration === 0 && !programConfig) return undefined;
  return trackFromConfig(configOf(header, programConfig), options);
}

function configOf(header: AdtsHeader, programConfig: ProgramConfig | undefined): Parameters<typeof trackFromConfig>[0] {
  return {
    objectType: header.objectType,
    coreSampleRate: header.sampleRate,
    channelConfiguration: header.channelConfiguration,
    isShortFrame: false,
    ...(programConfig ? { programConfig } : {}),
  };
}

/** Program config element at the start of a raw frame, as in ADTS. */
function findProgramConfig(raw: Uint8Array): ProgramConfig | undefined {
  const reader = new BitReader(raw);
  return reader.bits(3) === PROGRAM_CONFIG_ELEMENT ? readProgramConfig(reader, raw) : undefined;
}
