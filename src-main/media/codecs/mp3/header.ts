/** Bytes of an MPEG audio frame header. */
export const MPEG_AUDIO_HEADER_BYTES = 4;

/** Maximum frame size: layer II of MPEG-2.5 at 160 kbit/s and 8 kHz, with its padding. */
export const MAX_MPEG_AUDIO_FRAME_BYTES = 2881;

/** A frame header of MPEG-1, MPEG-2 and MPEG-2.5 audio, layers II and III (ISO 11172-3 2.4.1.3, ISO 13818-3). */
export interface MpegAudioHeader {
  readonly version: '1' | '2' | '2.5';
  readonly layer: 2 | 3;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Bits per second. */
  readonly bitrate: number;
  /** Size of the frame with its header, in bytes. */
  readonly frameBytes: number;
  readonly samplesPerFrame: 576 | 1152;
}

/** `bitrate_index` 1 to 14 in kbit/s. */
const RATES_1_II = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const RATES_1_III = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** `sampling_frequency` of MPEG-1; half of it in MPEG-2, a quarter in MPEG-2.5. */
const FREQUENCIES = [44100, 48000, 32000];

const VERSION_25 = 0;
const VERSION_1 = 3;
const LAYER_III = 1;
const LAYER_II = 2;

/** Length of the frame whose header is at `offset`, or 0 if there is none. Free format is not supported. */
export function mpegAudioFrameBytes(bytes: Uint8Array, offset: number): number {
  const second = bytes[offset + 1] ?? 0;
  if (bytes[offset] !== 0xff || (second & 0xe0) !== 0xe0) return 0;
  const version = (second >>> 3) & 3;
  const layer = (second >>> 1) & 3;
  if (version === 1 || (layer !== LAYER_II && layer !== LAYER_III)) return 0;
  const third = bytes[offset + 2] ?? 0;
  const bitrate = bitrateOf(version, layer, third >>> 4);
  const frequency = FREQUENCIES[(third >>> 2) & 3];
  if (bitrate === 0 || frequency === undefined) return 0;
  return frameBytesOf(version, layer, bitrate, rateOf(version, frequency), (third >>> 1) & 1);
}

/** Reads the header at `offset`; undefined if there is none. */
export function readMpegAudioHeader(bytes: Uint8Array, offset = 0): MpegAudioHeader | undefined {
  if (offset + MPEG_AUDIO_HEADER_BYTES > bytes.length) return undefined;
  const frameBytes = mpegAudioFrameBytes(bytes, offset);
  if (frameBytes === 0) return undefined;
  const second = bytes[offset + 1] ?? 0;
  const third = bytes[offset + 2] ?? 0;
  const version = (second >>> 3) & 3;
  const layer = (second >>> 1) & 3;
  return {
    version: version === VERSION_1 ? '1' : version === VERSION_25 ? '2.5' : '2',
    layer: layer === LAYER_II ? 2 : 3,
    sampleRate: rateOf(version, FREQUENCIES[(third >>> 2) & 3] ?? 0),
    channels: (bytes[offset + 3] ?? 0) >>> 6 === 3 ? 1 : 2,
    bitrate: bitrateOf(version, layer, third >>> 4) * 1000,
    frameBytes,
    samplesPerFrame: layer === LAYER_III && version !== VERSION_1 ? 576 : 1152,
  };
}

function bitrateOf(version: number, layer: number, index: number): number {
  const table = version !== VERSION_1 ? RATES_2 : layer === LAYER_II ? RATES_1_II : RATES_1_III;
  return table[index] ?? 0;
}

function rateOf(version: number, frequency: number): number {
  return version === VERSION_1 ? frequency : version === VERSION_25 ? frequency / 4 : frequency / 2;
}

function frameBytesOf(version: number, layer: number, kilobits: number, sampleRate: number, padding: number): number {
  const slotsFactor = layer === LAYER_III && version !== VERSION_1 ? 72_000 : 144_000;
  return Math.floor((slotsFactor * kilobits) / sampleRate) + padding;
}
