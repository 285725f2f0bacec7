import { expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { mediaInfo } from './media-info.ts';

it('states the rotation of pictures', () => {
  const { video } = testMedia();
  const displayMatrix = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000];
  const info = mediaInfo([{ track: { ...video, displayMatrix }, bitrate: 1000 }]);
  const display = { rotation: 90, display_width: video.height, display_height: video.width };
  expect(info?.tracks).toMatchObject([{ width: video.width, height: video.height, ...display }]);
  expect(mediaInfo([{ track: video, bitrate: 1000 }])?.tracks[0]).not.toHaveProperty('rotation');
});

it('has the size of the first picture, if there is a picture', () => {
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
