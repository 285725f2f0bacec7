import type { AudioTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import { readDac3, writeDac3 } from './dac3.ts';
import { channelLocationsOf, channelsAt, readDec3, writeDec3 } from './dec3.ts';
import type { Dec3, Dec3Substream } from './dec3.ts';
import { channelsOfMode } from './sync-frame.ts';
import type { SyncFrame } from './sync-frame.ts';

/** Samples of an access unit: six blocks of 256; one frame in AC-3, one or more in E-AC-3. */
const AC3_SAMPLES = 1536;

const MAX_DATA_RATE = 8191;
const RATES = [48000, 44100, 32000];

export function ac3Track(frame: SyncFrame, options: TrackOptions): AudioTrack {
  const { fscod, bsid, bsmod, acmod, hasLfe, bitRateCode, sampleRate } = frame;
  return {
    ...base(sampleRate, channelsOfMode(acmod) + (hasLfe ? 1 : 0), options),
    codec: 'ac3',
    codecString: 'ac-3',
    decoderConfig: writeDac3({ fscod, bsid, bsmod, acmod, hasLfe, bitRateCode }),
  };
}

/** Track of an E-AC-3 stream from the sync frames of one access unit; undefined if none is independent. */
export function eac3Track(frames: readonly SyncFrame[], options: TrackOptions): AudioTrack | undefined {
  const [first] = frames;
  const substreams = substreamsOf(frames);
  if (!first || !substreams[0]) return undefined;
  const bytes = frames.reduce((sum, frame) => sum + frame.frameBytes, 0);
  const dataRate = Math.min(MAX_DATA_RATE, Math.round((bytes * 8 * first.sampleRate) / AC3_SAMPLES / 1000));
  return {
    ...base(first.sampleRate, channelsIn(substreams[0]), options),
    codec: 'eac3',
    codecString: 'ec-3',
    decoderConfig: writeDec3({ dataRate, substreams }),
  };
}

/** Track of the body of a `dac3` box; undefined if it is damaged. */
export function trackFromDac3(bytes: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const value = readDac3(bytes);
  const sampleRate = value && (RATES[value.fscod] ?? 0) >>> Math.max(0, value.bsid - 8);
  if (!value || !sampleRate) return undefined;
  const channels = channelsOfMode(value.acmod) + (value.hasLfe ? 1 : 0);
  return {
    ...base(sampleRate, channels, options),
    codec: 'ac3',
    codecString: 'ac-3',
    decoderConfig: new Uint8Array(bytes),
  };
}

/**
 * Track of the body of a `dec3` box; undefined if it is damaged. `dec3` does not contain half rates, so the rate of the sample
 * entry is passed as `entrySampleRate`.
 */
export function trackFromDec3(
  bytes: Uint8Array,
  options: TrackOptions,
  entrySampleRate = 24000,
): AudioTrack | undefined {
  const value: Dec3 | undefined = readDec3(bytes);
  const first = value?.substreams[0];
  if (!first) return undefined;
  const sampleRate = RATES[first.fscod] ?? entrySampleRate;
  return {
    ...base(sampleRate, channelsIn(first), options),
    codec: 'eac3',
    codecString: 'ec-3',
    decoderConfig: new Uint8Array(bytes),
  };
}

type Ac3Base = Pick<
  AudioTrack,
  'id' | 'content' | 'timescale' | 'sampleRate' | 'channels' | 'samplesPerFrame' | 'language' | 'sourceId'
>;

function base(sampleRate: number, channels: number, options: TrackOptions): Ac3Base {
  return {
    ...trackIdentity(options),
    content: 'audio',
    timescale: sampleRate,
    sampleRate,
    channels,
    samplesPerFrame: AC3_SAMPLES,
  };
}

function channelsIn(substream: Dec3Substream): number {
  return channelsOfMode(substream.acmod) + (substream.hasLfe ? 1 : 0) + channelsAt(substream.channelLocations);
}

/** Independent substreams with their dependent ones. A frame that only adds blocks to a substream is skipped. */
function substreamsOf(frames: readonly SyncFrame[]): Dec3Substream[] {
  const byId = new Map<number, Dec3Substream>();
  const seenDependents = new Set<number>();
  let current = 0;
  for (const frame of frames) {
    if (!frame.isDependent) {
      current = frame.substreamId;
      if (!byId.has(current)) byId.set(current, substreamOf(frame));
      continue;
    }
    const parent = byId.get(current);
    const key = current * 8 + frame.substreamId;
    if (!parent || seenDependents.has(key)) continue;
    seenDependents.add(key);
    byId.set(current, {
      ...parent,
      dependents: parent.dependents + 1,
      channelLocations: parent.channelLocations | channelLocationsOf(frame.channelMap),
    });
  }
  return [...byId.values()].slice(0, 8);
}

function substreamOf(frame: SyncFrame): Dec3Substream {
  const { fscod, bsid, bsmod, acmod, hasLfe } = frame;
  return { fscod, bsid, bsmod, acmod, hasLfe, dependents: 0, channelLocations: 0 };
}
