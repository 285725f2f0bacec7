import { expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import { mediaInfo, windowInfo } from './media-info.ts';

it('media info includes the rotation and display size of pictures', () => {
  const { video } = testMedia();
  const displayMatrix = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000];
  const info = mediaInfo([{ track: { ...video, displayMatrix }, bitrate: 1000 }]);
  const display = { rotation: 90, display_width: video.height, display_height: video.width };
  expect(info?.tracks).toMatchObject([{ width: video.width, height: video.height, ...display }]);
  expect(mediaInfo([{ track: video, bitrate: 1000 }])?.tracks[0]).not.toHaveProperty('rotation');
});

it('media info includes the size of the video, if there is video', () => {
  const { video, audio } = testMedia();
  const both = mediaInfo([
    { track: audio, bitrate: 1000 },
    { track: { ...video, width: 720, height: 576, sarWidth: 16, sarHeight: 15 }, bitrate: 1000 },
  ]);
  expect(both).toMatchObject({ width: 720, height: 576 });
  expect(both?.tracks[1]).toMatchObject({ size: '720x576', width: 720, height: 576, pixel_width: 768 });
  const sound = mediaInfo([{ track: audio, bitrate: 1000 }]);
  expect(sound).not.toHaveProperty('width');
  expect(sound).not.toHaveProperty('height');
});

it('media info lists every property of tracks, in the order of their ids', () => {
  const { video, audio } = testMedia();
  const { language: _language, profile: _profile, ...sound } = audio;
  const { fps: _fps, ...unpaced } = video;
  const picture = { ...video, isInterlaced: true as const, fps: 30_000 / 1001, profile: 'High', level: '4.0' };
  const info = mediaInfo([
    { track: { ...picture, id: 'v1' }, bitrate: 1_999_600 },
    { track: { ...sound, id: 'a2', language: 'deu', channels: 6, sampleRate: 48_000 }, bitrate: 0 },
    { track: { ...sound, id: 'a1', profile: 'LC', channels: 2, sampleRate: 44_100 }, bitrate: 1 },
  ]);
  expect(info?.streams).toBe(info?.tracks);
  expect(info?.tracks).toEqual([
    {
      content: 'audio',
      codec: audio.codec,
      track_id: 'a1',
      bitrate: 0,
      profile: 'LC',
      channels: 2,
      sample_rate: 44_100,
    },
    { content: 'audio', codec: audio.codec, track_id: 'a2', bitrate: 0, lang: 'deu', channels: 6, sample_rate: 48_000 },
    {
      content: 'video',
      codec: video.codec,
      track_id: 'v1',
      bitrate: 2000,
      profile: 'High',
      size: `${video.width}x${video.height}`,
      fps: 29.97,
      width: video.width,
      height: video.height,
      pixel_width: video.width,
      pixel_height: video.height,
      sar_width: 1,
      sar_height: 1,
      scan: 'interlaced',
      length_size: 4,
      level: '4.0',
    },
  ]);
  expect(mediaInfo([{ track: unpaced, bitrate: 0 }])?.tracks[0]).not.toHaveProperty('fps');
  expect(mediaInfo([])).toBeNull();
});

it('media info of a window lists the tracks with media in the ten seconds after a time', () => {
  const { video, audio } = testMedia();
  const segments = (trackId: string, times: readonly number[], isGap = false) =>
    times.map((startMs, msn) => ({
      segment: {
        trackId,
        startMs,
        startTicks: startMs,
        durationTicks: 1000,
        initId: 0,
        parts: [],
        sizeBytes: 0,
        isComplete: true,
        isGap,
      },
      msn,
      startMs,
      isDiscontinuity: false,
      discontinuitySequence: 0,
      address: String(startMs),
    }));
  const [picture, sound, lost] = [
    { ...video, id: 'v1', timescale: 1000 },
    { ...audio, id: 'a1', timescale: 1000 },
    { ...audio, id: 'a2', timescale: 1000 },
  ];
  const window = new ListWindow({
    mutability: 'static',
    inits: [picture, sound, lost].map((track) => ({ initId: 0, track, sizeBytes: 0, pieces: [] })),
    tracks: [
      { track: picture, segments: segments('v1', [20_000]) },
      { track: sound, segments: segments('a1', [30_000]) },
      { track: lost, segments: segments('a2', [20_000], true) },
    ],
  });
  const idsAt = (atMs: number) => windowInfo(window, atMs)?.tracks.map(({ track_id: id }) => id) ?? [];
  expect([idsAt(9000), idsAt(15_000), idsAt(25_000)]).toEqual([[], ['v1'], ['a1', 'v1']]);
});
