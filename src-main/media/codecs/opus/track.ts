import type { AudioTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import { readDOps, readOpusHead, writeDOps } from './opus-config.ts';
import type { OpusConfig } from './opus-config.ts';
import { OPUS_RATE } from './toc.ts';

const DEFAULT_SAMPLES = 960;

/**
 * Track of an Opus stream. Its rate is always 48 kHz. `samplesPerFrame` is that of its first packet, or 20 ms if no packet is
 * known yet; an encoder may change it from packet to packet.
 */
export function opusTrack(
  config: OpusConfig,
  options: TrackOptions,
  samplesPerFrame: number = DEFAULT_SAMPLES,
): AudioTrack {
  return {
    ...trackIdentity(options),
    content: 'audio',
    codec: 'opus',
    timescale: OPUS_RATE,
    codecString: 'opus',
    decoderConfig: writeDOps(config),
    sampleRate: OPUS_RATE,
    channels: config.channels,
    samplesPerFrame,
  };
}

/** Track of an `OpusHead` packet (RTMP, Ogg, Matroska); undefined if it is damaged. */
export function trackFromOpusHead(bytes: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const config = readOpusHead(bytes);
  return config && opusTrack(config, options);
}

/** Track of the body of a `dOps` box; undefined if it is damaged. */
export function trackFromDOps(bytes: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const config = readDOps(bytes);
  return config && opusTrack(config, options);
}
