import { describe, expect, it } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { technicalLines } from './technical-lines.ts';

describe('technicalLines', () => {
  it('returns a line for each track, for the total, and for the input', () => {
    const video = { content: 'video' as const, codec: 'h264', track_id: 'v1', width: 1920, height: 1080 };
    const tracks = [
      { ...video, profile: 'High', level: '4.0', fps: 25, scan: 'interlaced' as const, bitrate: 6000 },
      { content: 'audio' as const, codec: 'aac', track_id: 'a1', channels: 6, sample_rate: 44_100, lang: 'deu' },
    ];
    tracks.reverse();
    const state = aStream({
      media_info: { streams: tracks, tracks },
      bitrate: 6200,
      input_error_rate: 0.5,
      client_count: 1,
    });
    expect(technicalLines(state)).toEqual([
      'v1, H.264, High 4.0, 1920×1080, 25 fps, interlaced, 6.00 Mbit/s',
      'a1, AAC, 6 ch, 44.1 kHz, deu',
      '6.20 Mbit/s, 0.5 errors/s, 1 viewer',
      'fake://',
    ]);
  });

  it('omits unknown values, and limits the number of tracks', () => {
    const track = { content: 'video' as const, codec: 'hevc', track_id: 'v1' };
    const lines = technicalLines(aStream({ media_info: { streams: [], tracks: [track] }, fps: null, bitrate: 0 }));
    expect(lines.slice(0, 2)).toEqual(['v1, H.265', '0.0 errors/s, 0 viewers']);
    const many = Array.from({ length: 1000 }, () => track);
    expect(technicalLines(aStream({ media_info: { streams: [], tracks: many } })).length).toBeLessThan(13);
  });
});
