import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAudioSpecificConfig, writeAudioSpecificConfig } from './audio-specific-config.ts';
import type { AudioSpecificConfig } from './audio-specific-config.ts';
import { trackFromAudioSpecificConfig } from './track.ts';

const lc = { objectType: 2, isShortFrame: false } as const;
const quad = {
  channels: 4,
  bits: Array.from('0000010100' + '0010' + '0000' + '0000' + '00' + '000' + '0000' + '000' + '1000010001', Number),
  comment: Uint8Array.of(7),
};

const cases: readonly [string, string, AudioSpecificConfig, Record<string, unknown>][] = [
  [
    'LC stereo 48 kHz',
    '1190',
    { ...lc, coreSampleRate: 48000, channelConfiguration: 2 },
    { codecString: 'mp4a.40.2', sampleRate: 48000, channels: 2, samplesPerFrame: 1024, profile: 'LC' },
  ],
  [
    'LC mono 44.1 kHz',
    '1208',
    { ...lc, coreSampleRate: 44100, channelConfiguration: 1 },
    { sampleRate: 44100, channels: 1 },
  ],
  ['LC 7.1', '11b8', { ...lc, coreSampleRate: 48000, channelConfiguration: 7 }, { channels: 8 }],
  [
    'Main, 960 samples',
    '0994',
    { objectType: 1, isShortFrame: true, coreSampleRate: 48000, channelConfiguration: 2 },
    { codecString: 'mp4a.40.1', samplesPerFrame: 960 },
  ],
  [
    'HE-AAC, hierarchical',
    '2b118800',
    {
      ...lc,
      coreSampleRate: 24000,
      channelConfiguration: 2,
      sbr: { sampleRate: 48000, hasParametricStereo: false, signalling: 'hierarchical' },
    },
    {
      codecString: 'mp4a.40.5',
      sampleRate: 48000,
      timescale: 48000,
      samplesPerFrame: 2048,
      channels: 2,
      profile: 'HE-AAC',
    },
  ],
  [
    'HE-AACv2, hierarchical',
    'eb098800',
    {
      ...lc,
      coreSampleRate: 24000,
      channelConfiguration: 1,
      sbr: { sampleRate: 48000, hasParametricStereo: true, signalling: 'hierarchical' },
    },
    { codecString: 'mp4a.40.29', channels: 2, profile: 'HE-AACv2' },
  ],
  [
    'HE-AAC, compatible',
    '131056e598',
    {
      ...lc,
      coreSampleRate: 24000,
      channelConfiguration: 2,
      sbr: { sampleRate: 48000, hasParametricStereo: false, signalling: 'compatible' },
    },
    { codecString: 'mp4a.40.5', sampleRate: 48000, samplesPerFrame: 2048 },
  ],
  [
    'HE-AACv2, compatible',
    '130856e59d4880',
    {
      ...lc,
      coreSampleRate: 24000,
      channelConfiguration: 1,
      sbr: { sampleRate: 48000, hasParametricStereo: true, signalling: 'compatible' },
    },
    { codecString: 'mp4a.40.29', channels: 2 },
  ],
];

describe('AudioSpecificConfig', () => {
  it.each(cases)('is parsed and written: %s', (_name, hex, config, track) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(readAudioSpecificConfig(bytes)).toEqual(config);
    const written = Buffer.from(writeAudioSpecificConfig(config)).toString('hex');
    // The format allows trailing zero bits, which are not read.
    expect([hex, `${hex.replace(/00$/, '')}`, `${hex}00`]).toContain(written);
    expect(trackFromAudioSpecificConfig(bytes, { trackId: 'a1' })).toMatchObject(track);
  });

  it('is parsed as written, with any rate and a program config element', () => {
    const rate = fc.oneof(fc.constantFrom(48000, 44100, 22050), fc.integer({ min: 1, max: 192_000 }));
    const configs = fc.tuple(
      rate,
      fc.constantFrom(1, 2, 3, 4),
      fc.boolean(),
      fc.constantFrom(0, 1, 2, 6, 7, 11),
      fc.constantFrom(undefined, 0, 16383),
    );
    fc.assert(
      fc.property(configs, ([coreSampleRate, objectType, isShortFrame, channelConfiguration, delay]) => {
        const config: AudioSpecificConfig = {
          objectType,
          coreSampleRate,
          channelConfiguration,
          isShortFrame,
          ...(channelConfiguration === 0 ? { programConfig: quad } : {}),
          ...(delay === undefined ? {} : { coreCoderDelay: delay }),
        };
        expect(readAudioSpecificConfig(writeAudioSpecificConfig(config))).toEqual(config);
      }),
    );
  });

  it('refuses unsupported configurations', () => {
    expect(readAudioSpecificConfig(new Uint8Array(0))).toBeUndefined();
    expect(readAudioSpecificConfig(Buffer.from('11', 'hex'))).toBeUndefined();
    // USAC (42), reserved channel configuration 8, reserved frequency index 13, an extension that triples the rate.
    for (const hex of ['f9460000', '11c0', '1690', '2c088000'])
      expect(readAudioSpecificConfig(Buffer.from(hex, 'hex')), hex).toBeUndefined();
  });

  it('terminates on any bytes, with a valid timescale', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const track = trackFromAudioSpecificConfig(bytes, { trackId: 'a1' });
        if (!track) return;
        expect(track.channels).toBeGreaterThan(0);
        expect(Number.isInteger(track.samplesPerFrame)).toBe(true);
        expect(track.timescale).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a copy of borrowed bytes', () => {
    const bytes = Buffer.from('1190', 'hex');
    const track = trackFromAudioSpecificConfig(bytes, { trackId: 'a1' });
    bytes.fill(0);
    expect(Buffer.from(track?.decoderConfig ?? []).toString('hex')).toBe('1190');
  });
});
