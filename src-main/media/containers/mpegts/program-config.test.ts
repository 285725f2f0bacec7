import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ffmpeg } from '../../../../tests/helpers/ffmpeg-media.ts';
import { readAudioSpecificConfig } from '../../codecs/aac/audio-specific-config.ts';
import { AdtsSplitter } from '../../codecs/aac/splitter.ts';
import { trackFromConfig } from '../../codecs/aac/track.ts';
import type { AudioTrack } from '../../track.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { MpegTsReader } from './reader.ts';
import { MpegTsWriter } from './writer.ts';

const RATE = 48_000;
const FRAME_SAMPLES = 1024;

/**
 * One second of AAC in ADTS form, with a different tone in each channel. Noise substitution would make it depend on
 * earlier frames.
 */
function soundOf(layout: string, channels: number): Buffer {
  const tones = Array.from({ length: channels }, (_, index) => `sin(${2 * (300 + 170 * index)}*PI*t)/4`).join('|');
  const source = `aevalsrc=${tones}:c=${layout}:s=${RATE}:d=1`;
  return ffmpeg(['-f', 'lavfi', '-i', source, '-c:a', 'aac', '-aac_pns', '0', '-b:a', '512k', '-f', 'adts']);
}

/** Output of ffmpeg's decoder, as float samples of all channels. */
function decoded(bytes: Uint8Array): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'f32le', '-'], {
    input: bytes,
    maxBuffer: 1 << 28,
  });
}

/** A transport stream of all frames except the first. */
function transportOf(adts: Uint8Array, trackOf: (track: AudioTrack) => AudioTrack): Buffer {
  const splitter = new AdtsSplitter({ trackId: 'a1', problem: () => expect.fail('bad frame') });
  const frames: Uint8Array[] = [];
  splitter.split(adts, (data) => frames.push(Uint8Array.from(data)));
  const track = trackOf(splitter.track ?? expect.fail('no track'));
  const writer = new MpegTsWriter([track]);
  for (const [index, data] of frames.entries()) {
    const ticks = 90_000 + index * FRAME_SAMPLES;
    if (index > 0) writer.accessUnit({ trackId: 'a1', dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data });
  }
  return writer.take();
}

describe('AAC with its channels in a program config element', () => {
  it.each([
    { layout: '5.1(side)', channels: 6, configuration: 0 },
    { layout: '6.1', channels: 7, configuration: 0 },
    { layout: '7.1', channels: 8, configuration: 12 },
  ])('is decodable from any frame: $layout, configuration $configuration', ({ layout, channels, configuration }) => {
    const adts = soundOf(layout, channels);
    const transport = transportOf(adts, (track) => {
      const config = readAudioSpecificConfig(track.decoderConfig) ?? expect.fail('bad config');
      expect(track.channels).toBe(channels);
      if (configuration === config.channelConfiguration) return track;
      return trackFromConfig({ ...config, channelConfiguration: configuration }, { trackId: 'a1' }) ?? expect.fail();
    });
    // A frame overlaps the previous one, so the first two frames differ if the first is missing.
    const frameBytes = FRAME_SAMPLES * 4 * channels;
    const expected = decoded(adts).subarray(2 * frameBytes);
    expect(expected.length).toBeGreaterThan(40 * frameBytes);
    expect(decoded(transport).subarray(frameBytes).equals(expected)).toBe(true);
  });

  it.each([
    { configuration: 11, channels: 7 },
    { configuration: 12, channels: 8 },
  ])('is read as written for configuration $configuration', ({ configuration, channels }) => {
    const config = { objectType: 2, coreSampleRate: RATE, channelConfiguration: configuration, isShortFrame: false };
    const track = trackFromConfig(config, { trackId: 'a1' }) ?? expect.fail('no track');
    const writer = new MpegTsWriter([track]);
    const frame = { trackId: 'a1', isRandomAccess: true, data: Uint8Array.of(1, 2, 3) };
    for (let ticks = 0; ticks < 3 * FRAME_SAMPLES; ticks += FRAME_SAMPLES)
      writer.accessUnit({ ...frame, dtsTicks: ticks, ptsTicks: ticks });
    const sink = new RecordingSink();
    const reader = new MpegTsReader(sink);
    reader.push(writer.take());
    reader.flush();
    expect(sink.problems).toEqual([]);
    expect(sink.announcements.at(-1)).toMatchObject([{ codec: 'aac', channels, sampleRate: RATE }]);
  });
});
