import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { isInterruption, isSameFormat } from './track.ts';

const video = madeVideo();
const audio = madeAudio();
const mono = { ...audio, channels: 1, decoderConfig: Uint8Array.of(0x11, 0x88) };

describe('isInterruption', () => {
  it.each([
    ['another language', [video, audio], [video, { ...audio, language: 'deu' }], false],
    ['another sound beside a picture', [video, audio], [video, mono], false],
    ['an added track', [video, audio], [video, audio, madeAudio('a2')], false],
    ['a removed track', [video, audio], [video], false],
    ['another picture', [video, audio], [madeVideo('v1', 1), audio], true],
    ['another sound without a picture', [audio, madeAudio('a2')], [mono, madeAudio('a2')], true],
    ['other tracks', [video], [audio], true],
  ])('says whether a change interrupts all tracks: %s', (_, before, after, isInterrupted) => {
    expect(isInterruption(before, after)).toBe(isInterrupted);
  });

  it('isSameFormat ignores a change of language', () => {
    expect(isSameFormat(audio, { ...audio, language: 'deu' })).toBe(true);
  });
});
