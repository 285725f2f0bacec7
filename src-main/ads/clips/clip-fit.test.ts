import { describe, expect, it } from 'vitest';
import { clipOf, testTracks } from '../../../tests/helpers/ad-windows.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import type { Track, VideoTrack } from '../../media/track.ts';
import type { Part } from '../../segment/segment-window.ts';
import { differences } from './clip-fit.ts';

const SOUND: Track = {
  id: 'a1',
  content: 'audio',
  codec: 'aac',
  timescale: 48_000,
  codecString: 'mp4a.40.2',
  decoderConfig: new Uint8Array([1]),
  sampleRate: 48_000,
  channels: 2,
  samplesPerFrame: 1024,
};

/** A chunk of pictures of 40 ms. Picture n is shown `offsets[n]` ticks after its decode time. */
function chunkOf(offsets: readonly number[]): Uint8Array {
  const samples = createSampleTable(offsets.length);
  samples.count = offsets.length;
  samples.sizes.fill(1);
  samples.durations.fill(40);
  samples.compositionOffsets.set(offsets);
  samples.isSync[0] = 1;
  const headerBytes = chunkHeaderBytes(samples.count, { content: 'video', hasWall: false });
  const bytes = new Uint8Array(headerBytes);
  const chunk = { trackNumber: 1, sequenceNumber: 1, baseDecodeTicks: 1000, samples, content: 'video' } as const;
  return bytes.subarray(writeChunkHeader(bytes, headerBytes, chunk));
}

function differencesOf(clip: readonly Track[], stream: readonly Track[]): string[] {
  const [clipWindow, expected] = [clipOf('a', 3, clip).window, clipOf('b', 3, stream).window];
  return differences(clipWindow, expected).map((one) => `${one.field} ${one.clip} ${one.stream}`);
}

describe('a clip compared with the stream', () => {
  it('fits if its media format equals that of the stream', () => {
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

  it('does not fit if a track changes its format', () => {
    const { window } = clipOf('a', 3, testTracks());
    const segments = (trackId: string): ReturnType<typeof window.segments> =>
      window.segments(trackId).map((entry, index) => ({ ...entry, segment: { ...entry.segment, initId: index % 2 } }));
    const { tracks, longestSegmentMs } = window;
    expect(differences({ tracks, longestSegmentMs, segments }, window)).toEqual([
      { field: 'formats', clip: 2, stream: 1 },
    ]);
  });

  it('does not fit with other tracks or a different audio format', () => {
    expect(differencesOf(testTracks(), [...testTracks(), SOUND])).toEqual(['a1 null aac']);
    expect(differencesOf([...testTracks(), SOUND], testTracks())).toEqual(['a1 aac null']);
    const other = { ...SOUND, sampleRate: 44_100, channels: 1 } as Track;
    expect(differencesOf([...testTracks(), other], [...testTracks(), SOUND])).toEqual([
      'a1.sample_rate 44100 48000',
      'a1.channels 1 2',
    ]);
  });

  it('fits if its first audio track has the parameters of each missing audio track', () => {
    const second = { ...SOUND, id: 'a2' } as Track;
    expect(differencesOf([...testTracks(), SOUND], [...testTracks(), SOUND, second])).toEqual([]);
    const other = { ...second, channels: 6 } as Track;
    expect(differencesOf([...testTracks(), SOUND], [...testTracks(), SOUND, other])).toEqual(['a2.channels 2 6']);
  });

  it.each([
    [[0, 0, 0], []],
    [[80, 80, 0], []],
    [[80, -40, 0], ['gop open closed']],
  ])('fits only with closed GOPs: composition offsets %o', (offsets, found) => {
    const clip = clipOf('a', 2);
    const [first, second] = clip.window.segments('v1');
    if (!first || !second) throw new Error('the clip has no segments');
    const part = { ...(second.segment.parts[0] as Part), pieces: [{ bytes: chunkOf(offsets) }] };
    const all = [first, { ...second, segment: { ...second.segment, parts: [part] } }];
    const { tracks, longestSegmentMs } = clip.window;
    const otherClip = { tracks, longestSegmentMs, segments: () => all };
    expect(differences(otherClip, clip.window).map((one) => `${one.field} ${one.clip} ${one.stream}`)).toEqual(found);
  });

  it('fits with an unknown frame rate, but not if its GOPs are longer than a second', () => {
    expect(differencesOf(testTracks({ fps: 30 }), testTracks({ fps: undefined as never }))).toEqual([]);
    const { window } = clipOf('a', 3);
    expect(differences({ tracks: window.tracks, longestSegmentMs: 2000, segments: () => [] }, window)).toEqual([
      { field: 'gop_ms', clip: 2000, stream: 1000 },
    ]);
  });
});
