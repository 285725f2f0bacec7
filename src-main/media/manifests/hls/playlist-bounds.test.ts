import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../../tests/helpers/growth.ts';
import { AttributeList } from './attribute-list.ts';
import type { MediaPlaylist } from './media-playlist.ts';
import { parsePlaylist } from './parse-playlist.ts';
import { MAX_LINE_CHARACTERS } from './playlist-lines.ts';
import { MAX_REPLACED_CHARACTERS, PlaylistVariables } from './playlist-variables.ts';

function media(text: string): MediaPlaylist {
  const playlist = parsePlaylist(text);
  if (playlist?.kind !== 'media') throw new Error('no media playlist');
  return playlist;
}

const defined = (characters: number) => `#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="${'x'.repeat(characters)}"\n`;

describe('variables in playlists', () => {
  it('are replaced up to the maximum line length', () => {
    const { segments } = media(`${defined(10_000)}#EXTINF:1,\n${'{$a}'.repeat(1000)}\n`);
    expect(segments.map(({ uri }) => uri?.length)).toEqual([MAX_LINE_CHARACTERS]);
  });

  it('are replaced until the playlist has grown too much', () => {
    const { segments } = media(`${defined(10_000)}${'{$a}\n'.repeat(1000)}`);
    const replaced = segments.filter(({ uri }) => uri !== '{$a}').length;
    expect(segments).toHaveLength(1000);
    expect(replaced).toBeGreaterThan(0);
    expect(replaced * 10_000).toBeLessThanOrEqual(MAX_REPLACED_CHARACTERS);
  });

  it('cannot grow exponentially from other variables', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `#EXT-X-DEFINE:NAME="a${at + 1}",VALUE="{$a${at}}{$a${at}}"`);
    const text = `#EXTM3U\n#EXT-X-DEFINE:NAME="a0",VALUE="xxxx"\n${lines.join('\n')}\n{$a40}`;
    expect(media(text).segments[0]?.uri?.length).toBeLessThanOrEqual(MAX_LINE_CHARACTERS);
  });

  it('are recognized only as {$name}', () => {
    const variables = new PlaylistVariables();
    variables.define(AttributeList.parse('NAME="a",VALUE="1"'));
    expect(variables.replace('{$a}{$}{$b}{$a {$a}{a}$a}{$a')).toBe('1{$}{$b}{$a 1{a}$a}{$a');
  });

  it('are replaced in time proportional to the size', async () => {
    const tag = (size: number) => `${defined(size)}#EXTINF:1,\n`;
    await expectLinear({ make: (size) => tag(size) + `${'{$a}'.repeat(size)}\n`, run: parsePlaylist });
    await expectLinear({ make: (size) => tag(size) + '{$a}\n'.repeat(size), run: parsePlaylist });
    await expectLinear({ make: (size) => tag(1) + '{$'.repeat(size), run: parsePlaylist });
    await expectLinear({ make: (size) => tag(1) + '{$b'.repeat(size), run: parsePlaylist });
  });
});

describe('playlist limits', () => {
  it('cut lines that are too long', () => {
    expect(media(`#EXTM3U\n${'x'.repeat(100_000)}\n`).segments[0]?.uri).toHaveLength(MAX_LINE_CHARACTERS);
  });

  it('ignore lines beyond the maximum size', () => {
    expect(media(`#EXTM3U\n${'\n'.repeat(2_000_000)}a.ts`).segments).toEqual([]);
  });
});

describe('attribute lists', () => {
  it.each([
    ['A=1,B="2, 3" , C = x y ,D=', { A: '1', B: '2, 3', C: 'x y', D: undefined }],
    ['A=1,A=2', { A: '1' }],
    ['\tA\t=\t1\t', { A: '1' }],
    ['A="1"B=2,C=3', { A: undefined, C: undefined }],
    ['A="1,B=2', { A: undefined, B: undefined }],
    ['A=1"2",B=3', { A: undefined, B: undefined }],
    ['A=1,b=2,C=3', { A: '1', b: undefined, C: undefined }],
    ['A=1,,C=3', { A: '1', C: undefined }],
    ['A=1,=2', { A: '1' }],
    ['A', { A: undefined }],
  ])('reads %s', (text, expected) => {
    const list = AttributeList.parse(text);
    const values = Object.keys(expected).map((name) => [name, list.text(name)]);
    expect(Object.fromEntries(values)).toEqual(expected);
  });

  it.each([
    ['spaces after the sign', (size: number) => `METHOD=${' '.repeat(size)}x"`],
    ['spaces before the sign', (size: number) => `${' '.repeat(size)}METHOD${' '.repeat(size)}`],
    ['spaces after quotes', (size: number) => `METHOD="a"${' '.repeat(size)}x`],
    ['spaces inside a value', (size: number) => `METHOD=a${' '.repeat(size)}b"`],
    ['open quotes', (size: number) => 'A="'.repeat(size)],
    ['many attributes', (size: number) => 'A=1,'.repeat(size)],
    ['long names', (size: number) => 'A-'.repeat(size)],
    ['digits', (size: number) => `A=${'1'.repeat(size)}x`],
  ])('are parsed in time proportional to their size: %s', async (_name, make) => {
    await expectLinear({
      make,
      run: (text) => {
        const list = AttributeList.parse(text);
        return [
          list.decimal('A'),
          list.integer('A'),
          list.milliseconds('A'),
          list.bytes('A', 16),
          list.resolution('A'),
        ];
      },
    });
  });

  it.each([
    ['keys', (size: number) => `#EXT-X-KEY:METHOD=A,KEYFORMAT="${size}",URI="a"\n`.repeat(size)],
    ['parts', (size: number) => `#EXT-X-PART:URI="a",DURATION=1\n`.repeat(size)],
    ['parts of segments', (size: number) => `#EXT-X-PART:URI="a",DURATION=1\na\n`.repeat(size)],
    ['definitions', (size: number) => `#EXT-X-DEFINE:NAME="a",VALUE="{$a}"\n`.repeat(size)],
    ['dates', (size: number) => `#EXT-X-PROGRAM-DATE-TIME:${'1'.repeat(size)}\n`],
    ['ranges', (size: number) => `#EXT-X-BYTERANGE:1${'@'.repeat(size)}\na\n`],
    ['variants', (size: number) => `#EXT-X-STREAM-INF:CODECS="${','.repeat(100)}"\na\n`.repeat(size / 50)],
    ['renditions', (size: number) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="${size}"\n`.repeat(size)],
    ['carriage returns', (size: number) => '\r'.repeat(size) + 'x'],
    ['one line', (size: number) => 'x'.repeat(size)],
  ])('are parsed in time proportional to the playlist size: %s', async (_name, make) => {
    await expectLinear({ make: (size) => `#EXTM3U\n${make(size)}`, run: parsePlaylist, sizes: [500, 16_000] });
  });
});

it.each<[string, (size: number) => string]>([
  ['quotes', (size) => `#EXT-X-STREAM-INF:${'A="'.repeat(size)}`],
  ['the name of a tag', (size) => '#EXT-X-KEY:'.repeat(size)],
  ['digits', (size) => `#EXTINF:${'1'.repeat(size)}x,\na`],
])('a playlist with many lines of %s is parsed in time proportional to its size', async (_name, line) => {
  await expectLinear({ make: (size) => `#EXTM3U\n${line(size)}\n`, run: parsePlaylist });
});
