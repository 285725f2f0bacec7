import { describe, expect, it } from 'vitest';
import type { TrackInfo } from '../../../src-preload/contract/index.ts';
import { factsOf } from './stream-facts.ts';

const video: TrackInfo = { content: 'video', codec: 'h264', track_id: 'v1', width: 1920, height: 1080, fps: 25 };
const audio: TrackInfo = { content: 'audio', codec: 'aac', track_id: 'a1', channels: 2 };
const withTracks = (...tracks: TrackInfo[]): Parameters<typeof factsOf>[0] => ({
  bitrate: 4020,
  fps: 25.01,
  media_info: { streams: tracks, tracks },
});

describe('the facts of a stream', () => {
  it('name video and audio', () => {
    expect(factsOf(withTracks(video, audio))).toEqual({
      bitrate: '4.02 Mbit/s',
      fps: '25 fps',
      size: '1920×1080',
      videoCodec: 'H.264',
      audioCodec: 'AAC stereo',
      channelCount: 2,
    });
  });

  it('name missing tracks', () => {
    expect(factsOf(withTracks(video))).toMatchObject({ audioCodec: 'no audio', channelCount: 0 });
    expect(factsOf(withTracks(audio))).toMatchObject({ videoCodec: 'no video', fps: '', size: '' });
  });

  it('are empty before the first track', () => {
    expect(factsOf({ bitrate: 0, fps: null, media_info: null })).toEqual({
      bitrate: '',
      fps: '',
      size: '',
      videoCodec: '',
      audioCodec: '',
      channelCount: 0,
    });
  });
});
