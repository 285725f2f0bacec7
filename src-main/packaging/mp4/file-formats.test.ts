import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../../tests/helpers/made-input.ts';
import { FormatList, needsOtherFile } from './file-formats.ts';

const [picture, sound] = [madeVideo(), madeAudio()];
const mono = { ...sound, channels: 1, decoderConfig: Uint8Array.of(0x11, 0x88) };

describe('sample descriptions of an MP4 file', () => {
  it('needsOtherFile is true only if the decoder configuration must change', () => {
    expect(needsOtherFile(picture, madeVideo('v1', 3))).toBe(false);
    expect(needsOtherFile(sound, madeAudio())).toBe(false);
    expect(needsOtherFile(sound, mono)).toBe(true);
    expect(needsOtherFile(sound, madeAudio('a1', 44_100))).toBe(true);
    expect(needsOtherFile(picture, { ...madeVideo('v1', 3), codec: 'h265' })).toBe(true);
  });

  it('FormatList adds sample descriptions to a track for one decoder, and new tracks for other decoders', () => {
    const list = new FormatList(['v1', 'a1', 'a2']);
    const sounds = [sound, mono, { ...sound, channels: 6 }, madeAudio('a1', 44_100), { ...sound, timescale: 90_000 }];
    for (const track of sounds) list.add('a1', track);
    list.add('v1', picture);
    list.add('v1', { ...picture, codec: 'h265' });
    expect(
      sounds.map((track) => {
        const place = list.find('a1', track);
        return [place?.track.id, place?.description];
      }),
    ).toEqual([
      ['a1', 1],
      ['a1', 2],
      ['a3', 1],
      ['a4', 1],
      ['a5', 1],
    ]);
    expect(list.tracks.map(({ id, generation }) => [id, generation])).toEqual([
      ['a1', 0],
      ['v1', 0],
      ['a3', 1],
      ['v2', 1],
      ['a4', 2],
      ['a5', 3],
    ]);
    // Repeated formats keep their positions.
    expect(list.add('a1', sound)).toEqual(list.find('a1', sound));
    expect(list.tracks).toHaveLength(6);
  });

  it('FormatList limits the number of tracks and sample descriptions', () => {
    const list = new FormatList(['a1']);
    const rates = Array.from({ length: 100 }, (_, index) => madeAudio('a1', 8000 + index));
    expect(rates.filter((track) => list.add('a1', track))).toHaveLength(33);
    const variants = Array.from({ length: 100 }, (_, index) => ({ ...sound, decoderConfig: Uint8Array.of(index) }));
    const other = new FormatList(['a1']);
    expect(variants.filter((track) => other.add('a1', track))).toHaveLength(64);
  });
});
