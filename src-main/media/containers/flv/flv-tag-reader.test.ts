import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testMedia, toAdts } from '../../../../tests/helpers/test-media.ts';
import type { AccessUnit, FormatProblem } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import { writeOpusHead } from '../../codecs/opus/opus-config.ts';
import { readAvcC, type AvcC } from '../../codecs/nal/avcc.ts';
import { LengthPrefixedCursor } from '../../codecs/nal/length-prefixed.ts';
import { writeAmf0 } from '../rtmp/amf0.ts';
import { writeExAudioTag, writeOldAudioTag } from './audio-tag.ts';
import { FlvTagReader } from './flv-tag-reader.ts';
import { writeMetadata } from './metadata.ts';
import { writeExVideoTag, writeOldVideoTag } from './video-tag.ts';

const media = testMedia();

/** Reader whose output is recorded. */
class Trial {
  readonly tracks: (readonly Track[])[] = [];
  readonly units: AccessUnit[] = [];
  readonly problems: FormatProblem[] = [];
  /** Calls in order. Consecutive access units count once. */
  readonly order: string[] = [];
  readonly #reader = new FlvTagReader({
    tracks: (tracks) => {
      this.tracks.push(tracks);
      this.order.push(`tracks ${tracks.map((track) => track.id).join(' ')}`);
    },
    accessUnit: (unit) => {
      this.units.push({ ...unit, data: Uint8Array.from(unit.data) });
      if (this.order.at(-1) !== unit.trackId) this.order.push(unit.trackId);
    },
    splice: () => {},
    problem: (problem) => this.problems.push(problem),
  });

  metadata(properties: Readonly<Record<string, number>>): this {
    this.#reader.push(18, 0, writeAmf0(writeMetadata(properties)));
    return this;
  }

  push(type: 8 | 9, timestampMs: number, body: Uint8Array): this {
    const lent = Uint8Array.from(body);
    this.#reader.push(type, timestampMs, lent);
    lent.fill(0xee);
    return this;
  }

  videoConfig(timestampMs = 0): this {
    return this.push(9, timestampMs, oldVideo('config', media.video.decoderConfig));
  }

  audioConfig(timestampMs = 0): this {
    return this.push(
      8,
      timestampMs,
      writeOldAudioTag({ kind: 'config', codec: 'mp4a', data: media.audio.decoderConfig }),
    );
  }

  /** Pushes `ms` milliseconds of media as legacy tags. */
  play(ms: number, startMs = 0, which: 'both' | 'v1' | 'a1' = 'both'): this {
    for (const unit of media.units(ms / 1000)) {
      if (which !== 'both' && which !== unit.trackId) continue;
      const timestampMs = (startMs + Math.round(unit.dtsTicks / 90)) >>> 0;
      if (unit.trackId === 'v1') this.push(9, timestampMs, oldVideo('frame', unit.data, unit.isRandomAccess));
      else this.push(8, timestampMs, writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data: unit.data }));
    }
    return this;
  }
}

function oldVideo(kind: 'config' | 'frame', data: Uint8Array, isKeyFrame = true, compositionTimeMs = 0): Uint8Array {
  return writeOldVideoTag({ kind, codec: 'avc1', isKeyFrame, compositionTimeMs, data });
}

function exVideo(kind: 'config' | 'frame', data: Uint8Array, trackNumber = 0, offsetNs = 0): Uint8Array {
  return writeExVideoTag([
    { kind, codec: 'avc1', trackNumber, isKeyFrame: true, compositionTimeMs: 0, offsetNs, data },
  ]);
}

function keyFrame(): Uint8Array {
  for (const unit of media.units(1)) if (unit.trackId === 'v1') return Uint8Array.from(unit.data);
  throw new Error('no picture');
}

/** A sample as a byte stream (annex B). */
function byteStream(sample: Uint8Array, codeBytes: number): Buffer {
  const units: Uint8Array[] = [];
  const cursor = new LengthPrefixedCursor();
  cursor.reset(sample);
  while (cursor.next())
    units.push(Buffer.from([0, 0, 0, 1].slice(4 - codeBytes)), sample.slice(cursor.start, cursor.end));
  return Buffer.concat(units);
}

describe('the announcement of tracks', () => {
  it('comes with the first frame, once all tracks promised by the metadata are known', () => {
    const trial = new Trial().metadata({ videocodecid: 7, audiocodecid: 10 }).audioConfig().videoConfig().play(500);
    expect(trial.order.slice(0, 2)).toEqual(['tracks v1 a1', 'v1']);
    expect(trial.units).toHaveLength([...media.units(0.5)].length);
    expect(trial.tracks).toHaveLength(1);
    expect(trial.problems).toEqual([]);
  });

  it('waits only for tracks that the metadata announces', () => {
    expect(new Trial().metadata({ videocodecid: 7 }).videoConfig().play(80, 0, 'v1').order).toEqual([
      'tracks v1',
      'v1',
    ]);
    expect(new Trial().metadata({ audiocodecid: 10 }).audioConfig().play(80, 0, 'a1').order).toEqual([
      'tracks a1',
      'a1',
    ]);
  });

  it('does not wait for an unsupported codec', () => {
    expect(new Trial().metadata({ videocodecid: 7, audiocodecid: 11 }).videoConfig().play(40, 0, 'v1').order).toEqual([
      'tracks v1',
      'v1',
    ]);
  });

  it('comes after a second with the available tracks if another promised track is missing, and loses no frame', () => {
    const trial = new Trial().metadata({ videocodecid: 7, audiocodecid: 10 }).videoConfig().play(960, 0, 'v1');
    expect(trial.order).toEqual([]);
    trial.play(200, 1000, 'v1');
    expect(trial.order).toEqual(['tracks v1', 'v1']);
    expect(trial.units.map((unit) => unit.dtsTicks / 90)).toEqual([
      ...Array.from({ length: 24 }, (_, i) => i * 40),
      1000,
      1040,
      1080,
      1120,
      1160,
    ]);
    expect(Buffer.compare(trial.units[0]?.data ?? new Uint8Array(0), keyFrame())).toBe(0);
  });

  it('comes without metadata when video and audio have arrived', () => {
    expect(new Trial().videoConfig().audioConfig().play(40, 0, 'v1').order).toEqual(['tracks v1 a1', 'v1']);
  });

  it('comes again if a track is late or changes', () => {
    const other = testMedia({ width: 320, height: 180 });
    const trial = new Trial()
      .metadata({ videocodecid: 7 })
      .videoConfig()
      .play(100, 0, 'v1')
      .audioConfig(100)
      .play(100, 100);
    expect(trial.tracks.map((tracks) => tracks.map((track) => track.id))).toEqual([['v1'], ['v1', 'a1']]);
    trial.videoConfig(200).play(100, 200);
    expect(trial.tracks).toHaveLength(2);
    trial.push(9, 300, oldVideo('config', other.video.decoderConfig)).play(40, 300, 'v1');
    expect(trial.tracks[2]?.[0]).toMatchObject({ id: 'v1', width: 320 });
  });

  it('is missing, with a problem report, if the configuration is missing', () => {
    const trial = new Trial().metadata({ videocodecid: 7 }).play(1200, 0, 'v1');
    expect(trial.problems.map((problem) => problem.code)).toEqual(['codec_no_config']);
    expect(trial.units).toEqual([]);
  });
});

describe('FLV timestamps', () => {
  it('are converted to 90 kHz, with composition times of either sign', () => {
    const trial = new Trial().metadata({ videocodecid: 7 }).videoConfig();
    trial
      .push(9, 1000, oldVideo('frame', keyFrame(), true, 80))
      .push(9, 1040, oldVideo('frame', keyFrame(), true, -40));
    expect(trial.units.map((unit) => [unit.dtsTicks, unit.ptsTicks])).toEqual([
      [90_000, 97_200],
      [93_600, 90_000],
    ]);
  });

  it('continue across the wrap of 32-bit milliseconds', () => {
    const trial = new Trial()
      .metadata({ videocodecid: 7, audiocodecid: 10 })
      .audioConfig(0xffffff00)
      .videoConfig(0xffffff00);
    trial.play(600, 0xffffff00);
    for (const id of ['v1', 'a1']) {
      const times = trial.units.filter((unit) => unit.trackId === id).map((unit) => unit.dtsTicks);
      expect(times.length).toBeGreaterThan(10);
      expect(
        times.every(
          (time, i) => i === 0 || (time > (times[i - 1] as number) && time - (times[i - 1] as number) < 9000),
        ),
      ).toBe(true);
    }
  });

  it('include nanosecond offsets', () => {
    const trial = new Trial().metadata({ videocodecid: 7 }).push(9, 0, exVideo('config', media.video.decoderConfig));
    trial.push(9, 10, exVideo('frame', keyFrame(), 0, 500_000));
    expect(trial.units[0]).toMatchObject({ dtsTicks: 945, ptsTicks: 945 });
  });
});

describe('FlvTagReader', () => {
  it('removes parameter sets and delimiters from pictures', () => {
    const trial = new Trial().metadata({ videocodecid: 7 }).videoConfig();
    const delimiter = Buffer.from('0000000209f0', 'hex');
    trial.push(9, 0, oldVideo('frame', Buffer.concat([delimiter, keyFrame()])));
    expect(Buffer.compare(trial.units[0]?.data ?? new Uint8Array(0), keyFrame())).toBe(0);
    expect(trial.units[0]?.isRandomAccess).toBe(true);
  });

  it.each([3, 4])('converts byte streams with start codes of %i bytes', (codeBytes) => {
    const sent = [...media.units(1)].filter(({ trackId }) => trackId === 'v1').map(({ data }) => Uint8Array.from(data));
    const right = new Trial().metadata({ videocodecid: 7 }).videoConfig();
    const trial = new Trial().metadata({ videocodecid: 7 }).videoConfig();
    for (const [index, data] of sent.entries()) {
      right.push(9, index * 40, oldVideo('frame', data, index === 0));
      trial.push(9, index * 40, oldVideo('frame', byteStream(data, codeBytes), index === 0));
    }
    expect(trial.units).toEqual(right.units);
    expect(trial.units).toHaveLength(25);
    expect(trial.problems).toEqual([]);
  });

  it('accepts a configuration that is a byte stream, or that has no parameter sets', () => {
    const { sps, pps } = readAvcC(media.video.decoderConfig) as AvcC;
    const sets = Buffer.concat([...sps, ...pps].flatMap((unit) => [Uint8Array.of(0, 0, 0, 1), unit]));
    const asStream = new Trial().metadata({ videocodecid: 7 }).push(9, 0, oldVideo('config', sets)).play(80, 0, 'v1');
    const empty = Uint8Array.of(...media.video.decoderConfig.subarray(0, 5), 0xe0, 0);
    const inBand = new Trial().metadata({ videocodecid: 7 }).push(9, 0, oldVideo('config', empty));
    inBand.push(9, 0, oldVideo('frame', Buffer.concat([sets, byteStream(keyFrame(), 4)])));
    for (const trial of [asStream, inBand]) {
      expect(trial.problems).toEqual([]);
      expect(trial.tracks[0]?.[0]).toMatchObject({ id: 'v1', width: media.video.width });
      expect(trial.units[0]?.data).toEqual(keyFrame());
    }
  });

  it('strips ADTS headers from AAC, also with several frames per tag or without configuration', () => {
    const sent = [...media.units(0.5)].filter(({ trackId }) => trackId === 'a1');
    const frames = sent.map(({ data }) => Uint8Array.from(data));
    const headed = (unit: AccessUnit | undefined): Buffer => toAdts(media.audio, unit ? [unit] : []);
    const tag = (data: Uint8Array): Uint8Array => writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data });
    for (const hasConfig of [true, false]) {
      const trial = new Trial().metadata({ audiocodecid: 10 });
      if (hasConfig) trial.audioConfig();
      for (let index = 0; index + 1 < sent.length; index += 2)
        trial.push(8, Math.round((index * 64) / 3), tag(Buffer.concat([headed(sent[index]), headed(sent[index + 1])])));
      expect(trial.units.map(({ data }) => data)).toEqual(frames.slice(0, trial.units.length));
      expect(trial.units).toHaveLength(frames.length - (frames.length % 2));
      expect((trial.units[1]?.dtsTicks ?? 0) - (trial.units[0]?.dtsTicks ?? 0)).toBe(1920);
      expect(trial.tracks[0]?.[0]).toMatchObject({ codec: 'aac', sampleRate: 48_000, channels: media.audio.channels });
      expect(trial.problems).toEqual([]);
    }
  });

  it('converts lengths of two bytes to lengths of four', () => {
    const config = Uint8Array.from(media.video.decoderConfig);
    config[4] = 0xfd;
    const sample = keyFrame();
    const short: Uint8Array[] = [];
    for (let at = 0; at < sample.length;) {
      const length = Buffer.from(sample).readUInt32BE(at);
      short.push(sample.subarray(at + 2, at + 4 + length));
      at += 4 + length;
    }
    const trial = new Trial()
      .metadata({ videocodecid: 7 })
      .push(9, 0, oldVideo('config', config))
      .push(9, 0, oldVideo('frame', Buffer.concat(short)));
    expect(Buffer.compare(trial.units[0]?.data ?? new Uint8Array(0), sample)).toBe(0);
    expect(Buffer.compare(trial.tracks[0]?.[0]?.decoderConfig ?? new Uint8Array(0), media.video.decoderConfig)).toBe(0);
  });

  it('separates the tracks of a multitrack stream', () => {
    const trial = new Trial().metadata({ videocodecid: 7 });
    trial
      .push(9, 0, exVideo('config', media.video.decoderConfig))
      .push(9, 0, exVideo('config', media.video.decoderConfig, 1));
    trial.push(9, 0, exVideo('frame', keyFrame())).push(9, 0, exVideo('frame', keyFrame(), 1));
    expect(trial.order).toEqual(['tracks v1 v2', 'v1', 'v2']);
  });

  it('reads Opus, with the duration of its packets', () => {
    const head = writeOpusHead({ channels: 2, preSkip: 312, inputSampleRate: 48_000, outputGain: 0, mappingFamily: 0 });
    const opus = (kind: 'config' | 'frame', data: Uint8Array): Uint8Array =>
      writeExAudioTag([{ kind, codec: 'Opus', trackNumber: 0, offsetNs: 0, data }]);
    const trial = new Trial().metadata({ audiocodecid: 0x4f707573 }).push(8, 0, opus('config', head));
    trial.push(8, 20, opus('frame', Uint8Array.of(0xf0, 1, 2)));
    expect(trial.tracks).toHaveLength(1);
    expect(trial.tracks[0]?.[0]).toMatchObject({ codec: 'opus', samplesPerFrame: 480 });
    expect(trial.units.map((unit) => [unit.dtsTicks, [...unit.data]])).toEqual([[1800, [0xf0, 1, 2]]]);
  });

  it('reads MP3 without any configuration', () => {
    // MPEG-1 layer III, 128 kbit/s, 44.1 kHz, stereo: 417 bytes.
    const frame = Uint8Array.from({ length: 417 }, (_, i) => [0xff, 0xfb, 0x90, 0x00][i] ?? 0);
    const trial = new Trial().metadata({ audiocodecid: 2 });
    for (let i = 0; i < 4; i += 1)
      trial.push(8, i * 26, writeOldAudioTag({ kind: 'frame', codec: '.mp3', data: frame }));
    expect(trial.tracks[0]?.[0]).toMatchObject({ codec: 'mp3', sampleRate: 44_100, channels: 2 });
    expect(trial.units.map((unit) => [unit.dtsTicks / 90, unit.data.length])).toEqual(
      [0, 26, 52, 78].map((ms) => [ms, 417]),
    );
  });

  it('reports an unsupported codec once', () => {
    const trial = new Trial();
    for (let i = 0; i < 3; i += 1) {
      trial.push(9, i, Buffer.from('9161763031aa', 'hex')).push(8, i, Uint8Array.of(0xb2, 1));
    }
    expect(trial.problems.map((problem) => [problem.code, problem.detail])).toEqual([
      ['codec_unknown', 'Encoder: AV1 is not supported. Send H.264 or H.265'],
      ['codec_unknown', 'Encoder: Speex is not supported. Send AAC, MP2, MP3, AC-3 or Opus'],
    ]);
  });

  it('reports damaged tags, configurations and pictures, and continues', () => {
    const trial = new Trial()
      .metadata({ videocodecid: 7 })
      .push(9, 0, Uint8Array.of(0x17))
      .push(9, 0, oldVideo('config', Uint8Array.of(1, 2)));
    trial
      .videoConfig()
      .push(9, 0, oldVideo('frame', Uint8Array.of(0, 0, 0, 9, 0x65)))
      .push(9, 40, oldVideo('frame', keyFrame()));
    expect(trial.problems.map((problem) => problem.code)).toEqual([
      'flv_bad_tag',
      'codec_bad_config',
      'codec_bad_frame',
    ]);
    expect(trial.units.at(-1)).toMatchObject({ dtsTicks: 3600 });
  });

  it('accepts any tags', () => {
    const anyTag = fc.record({
      type: fc.constantFrom(8 as const, 9 as const),
      first: fc.constantFrom(0x17, 0x27, 0x90, 0x91, 0x93, 0x96, 0x97, 0xaf, 0x2f, 0x95, 0xa1),
      fourCc: fc.constantFrom('', 'avc1', 'hvc1', 'mp4a', 'Opus', 'ac-3', 'ec-3', '.mp3'),
      rest: fc.uint8Array({ maxLength: 60 }),
      timestampMs: fc.integer({ min: 0, max: 0xffffffff }),
    });
    fc.assert(
      fc.property(fc.array(anyTag, { maxLength: 30 }), (tags) => {
        const trial = new Trial().metadata({ videocodecid: 7, audiocodecid: 10 }).videoConfig().audioConfig();
        for (const { type, first, fourCc, rest, timestampMs } of tags) {
          trial.push(type, timestampMs, Buffer.concat([Uint8Array.of(first), Buffer.from(fourCc, 'latin1'), rest]));
        }
        for (const unit of trial.units)
          expect(Number.isSafeInteger(unit.dtsTicks) && Number.isSafeInteger(unit.ptsTicks)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
