import { INPUT_TIMESCALE } from '../access-unit.ts';
import type { AudioTrack } from '../track.ts';
import { eac3Samples } from '../codecs/ac3/sync-frame.ts';
import { opusSamples } from '../codecs/opus/toc.ts';

/**
 * Samples of one audio frame at the sample rate of its track: read from the frame if the codec allows varying lengths (Opus, RFC
 * 6716 3.1; E-AC-3, ETSI TS 102 366 E.1.3.1.6), otherwise constant.
 */
export function frameSamples({ codec, samplesPerFrame }: AudioTrack, frame: Uint8Array): number {
  if (codec === 'opus') return opusSamples(frame) || samplesPerFrame;
  if (codec === 'eac3') return eac3Samples(frame) || samplesPerFrame;
  return samplesPerFrame;
}

/** Usual duration of an audio frame in ticks of its track. */
export function usualFrameTicks({ samplesPerFrame, sampleRate, timescale }: AudioTrack): number {
  return Math.round((samplesPerFrame * timescale) / sampleRate);
}

/** Duration of one audio frame in 90 kHz ticks, not rounded. */
export function frameTicks(track: AudioTrack, frame: Uint8Array): number {
  return (frameSamples(track, frame) * INPUT_TIMESCALE) / track.sampleRate;
}
