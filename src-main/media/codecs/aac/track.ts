import type { AudioTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import {
  AudioObjectType,
  outputChannels,
  readAudioSpecificConfig,
  writeAudioSpecificConfig,
} from './audio-specific-config.ts';
import type { AudioSpecificConfig } from './audio-specific-config.ts';

const NAMES: Readonly<Record<number, string>> = { 1: 'Main', 2: 'LC', 3: 'SSR', 4: 'LTP' };

/**
 * Track of an AAC stream. Rate and timeline of HE-AAC: with explicit signalling in the configuration, `sampleRate` and
 * `timescale` are those of the output (48 000) and a frame has 2048 samples (1920 with short frames). With implicit signalling,
 * as in ADTS, the extension is unknown before decoding: rate and timeline are the core coder's (24 000) and a frame has 1024
 * samples. Both give the same frame duration.
 */
function aacTrack(config: AudioSpecificConfig, decoderConfig: Uint8Array, options: TrackOptions): AudioTrack {
  const { sbr } = config;
  // A config may state SBR at the core's own rate (down-sampled SBR): then a frame has as many samples as without SBR.
  const sampleRate = sbr?.sampleRate ?? config.coreSampleRate;
  const coreSamples = config.isShortFrame ? 960 : 1024;
  return {
    ...trackIdentity(options),
    content: 'audio',
    codec: 'aac',
    timescale: sampleRate,
    codecString: `mp4a.40.${codecObjectType(config)}`,
    decoderConfig,
    sampleRate,
    channels: outputChannels(config),
    samplesPerFrame: Math.round((coreSamples * sampleRate) / config.coreSampleRate),
    profile: sbr ? (sbr.hasParametricStereo ? 'HE-AACv2' : 'HE-AAC') : (NAMES[config.objectType] ?? 'LC'),
  };
}

/** Track of an AudioSpecificConfig; undefined if it is damaged or unsupported. */
export function trackFromAudioSpecificConfig(bytes: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const config = readAudioSpecificConfig(bytes);
  return config && aacTrack(config, new Uint8Array(bytes), options);
}

/** Track of a generated config, for example from an ADTS header. */
export function trackFromConfig(config: AudioSpecificConfig, options: TrackOptions): AudioTrack {
  return aacTrack(config, writeAudioSpecificConfig(config), options);
}

function codecObjectType(config: AudioSpecificConfig): number {
  if (!config.sbr) return config.objectType;
  return config.sbr.hasParametricStereo ? AudioObjectType.ps : AudioObjectType.sbr;
}
