import { expect, it } from 'vitest';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { parseTracks, printTracks } from './block-head.ts';

it('printTracks and parseTracks keep the display matrix of a picture', () => {
  const { video, audio } = testMedia();
  const turned = { ...video, displayMatrix: [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000] };
  const [read] = parseTracks(printTracks([turned, audio])) ?? [];
  expect(read).toMatchObject({ displayMatrix: turned.displayMatrix });
  const [plain] = parseTracks(printTracks([video])) ?? [];
  expect(plain).not.toHaveProperty('displayMatrix');
  const damaged = printTracks([turned]).replace('[0,65536', '[-1,65536');
  expect(parseTracks(damaged)?.[0]).not.toHaveProperty('displayMatrix');
});
