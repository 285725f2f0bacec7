import type { FeedStream } from '../../lib/feed-description.ts';
import { AudioUnitLane } from './audio-unit-lane.ts';
import type { LaneOptions, UnitLane } from './unit-lane.ts';
import { VideoUnitLane } from './video-unit-lane.ts';

const VIDEO = new Set(['h264', 'hevc']);
const AUDIO = new Set(['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'opus']);

/** Whether an elementary stream is carried. */
export function isCarried({ content, codec }: FeedStream): boolean {
  return content === 'video' ? VIDEO.has(codec) : content === 'audio' && AUDIO.has(codec);
}

/** The lane of an elementary stream that is carried. */
export function makeLane(stream: FeedStream, options: LaneOptions): UnitLane {
  return stream.content === 'video' ? new VideoUnitLane(stream, options) : new AudioUnitLane(stream, options);
}
