import { expect, test } from 'vitest';
import { testMedia } from './test-media.ts';

test('testMedia returns both tracks in decoding order, endlessly and without gaps', () => {
  const { video, audio, units, loopTicks } = testMedia();
  expect(video).toMatchObject({
    id: 'v1',
    codec: 'h264',
    codecString: 'avc1.64000b',
    width: 160,
    height: 90,
    fps: 25,
    profile: 'High',
  });
  expect(audio).toMatchObject({
    id: 'a1',
    codec: 'aac',
    codecString: 'mp4a.40.2',
    sampleRate: 48_000,
    channels: 2,
    samplesPerFrame: 1024,
  });
  expect(loopTicks).toBe(16 * 90_000);
  const all = [...units(33, 1000)];
  const pictures = all.filter(({ trackId }) => trackId === 'v1');
  const frames = all.filter(({ trackId }) => trackId === 'a1');
  expect(pictures.map(({ dtsTicks }) => dtsTicks)).toEqual(pictures.map((_, i) => 1000 + i * 3600));
  expect(frames.map(({ dtsTicks }) => dtsTicks)).toEqual(frames.map((_, i) => 1000 + i * 1920));
  expect(pictures).toHaveLength(33 * 25);
  expect(pictures.flatMap(({ isRandomAccess }, i) => (isRandomAccess ? [i] : []))).toEqual(
    Array.from({ length: 33 }, (_, i) => i * 25),
  );
});

test('testMedia returns B-pictures with different decoding and presentation times', () => {
  const { units } = testMedia({ bFrames: 2 });
  const pictures = [...units(32, 50)].filter(({ trackId }) => trackId === 'v1');
  expect(pictures[0]).toMatchObject({ dtsTicks: 50, isRandomAccess: true });
  expect(pictures.every(({ dtsTicks, ptsTicks }) => ptsTicks >= dtsTicks)).toBe(true);
  expect(new Set(pictures.map(({ dtsTicks, ptsTicks }) => ptsTicks - dtsTicks)).size).toBeGreaterThan(1);
  const shown = pictures.map(({ ptsTicks }) => ptsTicks).sort((a, b) => a - b);
  expect(new Set(shown.map((ticks, i) => ticks - (shown[i - 1] ?? ticks - 3600)))).toEqual(new Set([3600]));
});
