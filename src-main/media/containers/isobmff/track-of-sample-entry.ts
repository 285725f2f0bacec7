import type { AudioTrack, Track } from '../../track.ts';
import { trackFromAudioSpecificConfig } from '../../codecs/aac/track.ts';
import { trackFromAvcC } from '../../codecs/h264/track.ts';
import { trackIdentity } from '../../codecs/track-options.ts';
import type { TrackOptions } from '../../codecs/track-options.ts';
import { ObjectType } from './es-descriptor.ts';
import type { AudioSampleEntry, SampleEntry } from './sample-entry.ts';

/** The track value that a sample entry describes; undefined where its configuration is damaged or not one that Airdesk carries. */
export function trackOfSampleEntry(entry: SampleEntry, options: TrackOptions): Track | undefined {
  if (entry.content === 'audio') return audioTrack(entry, options);
  if (entry.type === 'hvc1' || entry.type === 'hev1') return undefined;
  const track = trackFromAvcC(entry.config, options);
  // The container knows the aspect ratio of bitstreams that do not say it.
  const isSquare = track?.sarWidth === track?.sarHeight;
  return track && isSquare ? { ...track, sarWidth: entry.sarWidth, sarHeight: entry.sarHeight } : track;
}

function audioTrack(entry: AudioSampleEntry, options: TrackOptions): AudioTrack | undefined {
  switch (entry.type) {
    case 'mp4a':
      return isLayer3(entry.objectType) ? mp3Track(entry, options) : trackFromAudioSpecificConfig(entry.config, options);
    case '.mp3':
      return mp3Track(entry, options);
    case 'ac-3':
      return simpleTrack('ac3', 'ac-3', 1536, entry, options);
    case 'ec-3':
      return simpleTrack('eac3', 'ec-3', 1536, entry, options);
    case 'Opus':
      return simpleTrack('opus', 'Opus', 960, { ...entry, sampleRate: 48_000 }, options);
  }
}

function isLayer3(objectType: number): boolean {
  return objectType === ObjectType.mpeg1Layer3 || objectType === ObjectType.mpeg2Layer3;
}

function mp3Track(entry: AudioSampleEntry, options: TrackOptions): AudioTrack | undefined {
  const isLowRate = entry.sampleRate < 32_000;
  return simpleTrack('mp3', isLowRate ? 'mp4a.69' : 'mp4a.6B', isLowRate ? 576 : 1152, entry, options);
}

function simpleTrack(codec: AudioTrack['codec'], codecString: string, samplesPerFrame: number, entry: AudioSampleEntry, options: TrackOptions): AudioTrack | undefined {
  const { sampleRate, channels, config } = entry;
  if (sampleRate === 0 || channels === 0) return undefined;
  return { ...trackIdentity(options), content: 'audio', codec, timescale: sampleRate, codecString, decoderConfig: config, sampleRate, channels, samplesPerFrame };
}
