import type { OpusConfig } from './opus-config.ts';
import { OPUS_RATE } from './toc.ts';

/**
 * Streams, coupled streams and mapping of 1 to 8 channels in Vorbis order (RFC 7845 5.1.1.2), as laid out by the reference
 * encoder.
 */
const LAYOUTS: readonly (readonly [number, number, readonly number[]])[] = [
  [1, 0, [0]],
  [1, 1, [0, 1]],
  [2, 1, [0, 2, 1]],
  [2, 2, [0, 1, 2, 3]],
  [3, 2, [0, 4, 1, 2, 3]],
  [4, 2, [0, 4, 1, 2, 3, 5]],
  [4, 3, [0, 4, 1, 2, 3, 5, 6]],
  [5, 3, [0, 6, 1, 2, 3, 4, 5, 7]],
];

const DUAL_MONO = 0;
const INDEPENDENT = 0x80;

/**
 * Configuration for the `channel_config_code` of the Opus descriptor in a PMT (specification "Opus in MPEG-TS"): 0 is two
 * separate channels, 1 to 8 are that many channels with coupled streams, 0x82 to 0x88 without. Undefined for other codes, which
 * have a mapping of their own.
 */
export function opusConfigOfCode(code: number): OpusConfig | undefined {
  const base = { preSkip: 0, inputSampleRate: OPUS_RATE, outputGain: 0 };
  if (code === DUAL_MONO)
    return { ...base, channels: 2, mappingFamily: 255, mapping: { streams: 2, coupledStreams: 0, channels: [0, 1] } };
  if (code === 1 || code === 2) return { ...base, channels: code, mappingFamily: 0 };
  const channels = code & 0x7f;
  const layout = LAYOUTS[channels - 1];
  if (!layout || channels < 2) return undefined;
  if (code >= INDEPENDENT) {
    const mapping = {
      streams: channels,
      coupledStreams: 0,
      channels: Array.from({ length: channels }, (_, index) => index),
    };
    return { ...base, channels, mappingFamily: 1, mapping };
  }
  const [streams, coupledStreams, order] = layout;
  return { ...base, channels, mappingFamily: 1, mapping: { streams, coupledStreams, channels: order } };
}
