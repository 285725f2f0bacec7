import { expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { mediaInfo } from './media-info.ts';

it('says how pictures are turned for display', () => {
  const { video } = testMedia();
  const displayMatrix = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000];
  const info = mediaInfo([{ track: { ...video, displayMatrix }, bitrate: 1000 }]);
  const display = { rotation: 90, display_width: video.height, display_height: video.width };
  expect(info?.tracks).toMatchObject([{ width: video.width, height: video.height, ...display }]);
  expect(mediaInfo([{ track: video, bitrate: 1000 }])?.tracks[0]).not.toHaveProperty('rotation');
});
