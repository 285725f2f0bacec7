import type { FeedStream } from '../../lib/feed/feed-description.ts';
import { AudioUnitTrack } from './audio-unit-track.ts';
import type { UnitTrackOptions, UnitTrack } from './unit-track.ts';
import { VideoUnitTrack } from './video-unit-track.ts';

const VIDEO = new Set(['h264', 'hevc']);
const AUDIO = new Set(['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'opus']);

/** Whether an elementary stream is supported. */
export function isCarried({ content, codec }: FeedStream): boolean {
  return content === 'video' ? VIDEO.has(codec) : content === 'audio' && AUDIO.has(codec);
}

/** Creates the reader of a supported elementary stream. */
export function makeUnitTrack(stream: FeedStream, options: UnitTrackOptions): UnitTrack {
  return stream.content === 'video' ? new VideoUnitTrack(stream, options) : new AudioUnitTrack(stream, options);
}
