import { describe, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { readByteRange } from './answers/byte-range.ts';
import { isTagNamed } from '../lib/entity-tag.ts';
import { readDirectives } from './answers/hls-directives.ts';
import { readMediaAddress } from './media-address.ts';
import { inPlaylist, inXml, addViewerQuery } from './answers/own-addresses.ts';

const PIECES = [' ', ',', '/', '"', '%', 'W/', '&_HLS_msn=1', '1', '.', '../', '\n#', 'URI="', '=', '\t\r'];
const READERS: readonly (readonly [name: string, run: (text: string) => unknown])[] = [
  ['a range', (text) => readByteRange(`bytes=${text}`, 100)],
  ['tags', (text) => isTagNamed(text, '"x"')],
  ['delivery directives', (text) => readDirectives(text)],
  ['a path', (text) => readMediaAddress(`/${text}/v1/index.m3u8`)],
  ['a query for a playlist', (text) => inPlaylist(text)],
  ['a query for an MPD', (text) => inXml(text)],
  ['a playlist', (text) => addViewerQuery(text)],
];

describe('the time to read external input is proportional to its size', () => {
  it.each(READERS)('for %s', async (_name, run) => {
    for (const piece of PIECES)
      await expectLinear({ make: (size) => piece.repeat(size / piece.length), run, sizes: [4_000, 128_000] });
  });
});
