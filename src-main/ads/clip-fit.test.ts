import { describe, expect, it } from 'vitest';
import { clipOf, testTracks } from '../../tests/helpers/ad-windows.ts';
import type { Track, VideoTrack } from '../media/track.ts';
import { differences } from './clip-fit.ts';

const SOUND: Track = {
  ...{ id: 'a1', content: 'audio', codec: 'aac', timescale: 48_000, codecString: 'mp4a.40.2' },
  ...{ decoderConfig: new Uint8Array([1]), sampleRate: 48_000, channels: 2, samplesPerFrame: 1024 },
};

function differencesOf(clip: readonly Track[], stream: readonly Track[]): string[] {
  const [own, wanted] = [clipOf('a', 3, clip).window, clipOf('b', 3, stream).window];
  return differences(own, wanted).map((one) => `${one.field} ${one.clip} ${one.stream}`);
}

describe('a clip', () => {
  it('fits where its media is that of the stream', () => {
    const tracks = [...testTracks(), SOUND];
    expect(differencesOf(tracks, tracks)).toEqual([]);
  });

  it.each<readonly [Partial<VideoTrack>, string]>([
    [{ codec: 'h265' }, 'v1.codec h265 h264'],
    [{ width: 640 }, 'v1.width 640 320'],
    [{ height: 360 }, 'v1.height 360 180'],
    [{ profile: 'High' }, 'v1.profile High Constrained Baseline'],
    [{ level: '4.0' }, 'v1.level 4.0 3.0'],
    [{ sarWidth: 4, sarHeight: 3 }, 'v1.sar 4:3 1:1'],
    [{ fps: 29.97 }, 'v1.fps 29.97 25'],
  ])('does not fit with %o', (change, difference) => {
    expect(differencesOf(testTracks(change), testTracks())).toEqual([difference]);
  });

  it('does not fit with other tracks or another sound', () => {
    expect(differencesOf(testTracks(), [...testTracks(), SOUND])).toEqual(['a1 null aac']);
    expect(differencesOf([...testTracks(), SOUND], testTracks())).toEqual(['a1 aac null']);
    const other = { ...SOUND, sampleRate: 44_100, channels: 1 } as Track;
    expect(differencesOf([...testTracks(), other], [...testTracks(), SOUND])).toEqual([
      'a1.sample_rate 44100 48000',
      'a1.channels 1 2',
    ]);
  });

  it('fits with its first sound in each of the stream that it does not have, where they are alike', () => {
    const second = { ...SOUND, id: 'a2' } as Track;
    expect(differencesOf([...testTracks(), SOUND], [...testTracks(), SOUND, second])).toEqual([]);
    const other = { ...second, channels: 6 } as Track;
    expect(differencesOf([...testTracks(), SOUND], [...testTracks(), SOUND, other])).toEqual(['a2.channels 2 6']);
  });

  it('fits with a rate that is not said, and with key frames that are a second apart at most', () => {
    expect(differencesOf(testTracks({ fps: 30 }), testTracks({ fps: undefined as never }))).toEqual([]);
    const { window } = clipOf('a', 3);
    expect(differences({ tracks: window.tracks, longestSegmentMs: 2000 }, window)).toEqual([
      { field: 'gop_ms', clip: 2000, stream: 1000 },
    ]);
  });
});
