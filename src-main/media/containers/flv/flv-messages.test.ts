import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testMedia } from '../../../../tests/helpers/test-media.ts';
import type { AccessUnit } from '../../access-unit.ts';
import { opusTrack } from '../../codecs/opus/track.ts';
import type { AudioTrack, Track } from '../../track.ts';
import { amfFields, amfObject } from '../rtmp/amf0.ts';
import { ChunkStreamReader } from '../rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../rtmp/chunk-stream-writer.ts';
import { readDataMessage } from '../rtmp/command.ts';
import { writeSetChunkSize } from '../rtmp/protocol-control.ts';
import { SHARED_CHUNK_BYTES, withStreamId } from '../rtmp/shared-message.ts';
import { FlvClock, type FlvTime } from './flv-clock.ts';
import { flvLayout, NO_FLV_CAPABILITIES, readFlvCapabilities, type FlvCapabilities } from './flv-layout.ts';
import { writeConfigMessages, writeMetadataMessage, writeUnitMessage } from './flv-messages.ts';
import { FlvTagReader } from './flv-tag-reader.ts';

const media = testMedia();
const opus = opusTrack(
  { channels: 2, preSkip: 312, inputSampleRate: 48_000, outputGain: 0, mappingFamily: 0 },
  { trackId: 'a1' },
  480,
);
const ALL: FlvCapabilities = { codecs: new Set(['*']), hasMultitrack: true };

/** Tracks and access units that the reader of publishers finds in messages. */
function readBack(messages: readonly Buffer[], pieceBytes = 50_000): { tracks: readonly Track[]; units: AccessUnit[] } {
  const result = { tracks: [] as readonly Track[], units: [] as AccessUnit[] };
  const tags = new FlvTagReader({
    tracks: (tracks) => (result.tracks = tracks),
    accessUnit: (unit) => result.units.push({ ...unit, data: Uint8Array.from(unit.data) }),
    splice: () => {},
    problem: ({ detail }) => {
      throw new Error(detail);
    },
  });
  const reader = new ChunkStreamReader({
    message: (type, _, timestampMs, payload) => {
      tags.push(type, timestampMs, payload);
    },
    problem: ({ detail }) => {
      throw new Error(detail);
    },
  });
  const bytes = Buffer.concat([new ChunkStreamWriter().write(2, writeSetChunkSize(SHARED_CHUNK_BYTES)), ...messages]);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  return result;
}

/** A picture with one NAL unit of a slice, of any size. */
function picture(bytes: number, isRandomAccess: boolean): Uint8Array {
  const data = Buffer.alloc(4 + bytes, 0x5a);
  data.writeUInt32BE(bytes);
  data[4] = isRandomAccess ? 0x65 : 0x41;
  data[5] = 0x88;
  return data;
}

const sentUnit = fc.record({
  isVideo: fc.boolean(),
  isRandomAccess: fc.boolean(),
  bytes: fc.oneof(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 65_400, max: 65_600 }), fc.constant(200_000)),
  stepMs: fc.integer({ min: 0, max: 60 }),
  compositionTimeMs: fc.integer({ min: -80, max: 400 }),
});

describe('messages of a stream', () => {
  it('give the reader the tracks, times and bytes that went in', () => {
    const starts = fc.constantFrom(0, 1000, 0xfffff0, 0x1000000, 0xfffffff0);
    fc.assert(
      fc.property(starts, fc.array(sentUnit, { minLength: 1, maxLength: 12 }), (startMs, sent) => {
        const tracks = [media.video, media.audio];
        const { places } = flvLayout(tracks, NO_FLV_CAPABILITIES);
        const [video, audio] = places;
        const messages = [writeMetadataMessage(places), ...writeConfigMessages(places, startMs)];
        const expected: { trackId: string; time: FlvTime; data: Uint8Array }[] = [];
        let timestampMs = startMs;
        for (const { isVideo, isRandomAccess, bytes, stepMs, compositionTimeMs } of sent) {
          timestampMs += stepMs;
          const place = isVideo ? video : audio;
          if (!place) throw new Error('no place');
          const unit = isVideo
            ? { isRandomAccess, data: picture(bytes, isRandomAccess) }
            : { isRandomAccess: true, data: Buffer.alloc(Math.min(bytes, 6000), 0x21) };
          const time = { timestampMs, compositionTimeMs: isVideo ? compositionTimeMs : 0 };
          messages.push(writeUnitMessage(place, time, unit));
          expected.push({ trackId: place.track.id, time, data: unit.data });
        }
        const back = readBack(messages);
        expect(back.units).toHaveLength(expected.length);
        for (const [index, { trackId, time, data }] of expected.entries()) {
          const unit = back.units[index];
          const dtsTicks = time.timestampMs * 90;
          expect(unit).toMatchObject({ trackId, dtsTicks, ptsTicks: dtsTicks + time.compositionTimeMs * 90 });
          expect(Buffer.compare(unit?.data ?? new Uint8Array(0), data)).toBe(0);
        }
        expect(back.tracks.map(({ id, decoderConfig }) => [id, Buffer.from(decoderConfig)])).toEqual(
          tracks.map(({ id, decoderConfig }) => [id, Buffer.from(decoderConfig)]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('carry real media unchanged', () => {
    const sent = [...media.units(2)].map((unit) => ({ ...unit, data: Uint8Array.from(unit.data) }));
    const clock = new FlvClock();
    const { places } = flvLayout([media.video, media.audio], NO_FLV_CAPABILITIES);
    const messages = [writeMetadataMessage(places), ...writeConfigMessages(places, 0)];
    for (const unit of sent) {
      const place = places.find(({ track }) => track.id === unit.trackId);
      if (!place) throw new Error('no place');
      const { timescale } = place.track;
      const [dtsTicks, ptsTicks] = [unit.dtsTicks, unit.ptsTicks].map((ticks) => (ticks * timescale) / 90_000);
      messages.push(writeUnitMessage(place, clock.place(place.track, dtsTicks ?? 0, ptsTicks ?? 0), unit));
    }
    const back = readBack(messages, 777);
    expect(back.units.map(({ trackId, data }) => [trackId, data])).toEqual(
      sent.map(({ trackId, data }) => [trackId, data]),
    );
    const first = sent[0]?.dtsTicks ?? 0;
    for (const [index, unit] of back.units.entries()) {
      expect(Math.abs(unit.dtsTicks - 90_000 - ((sent[index]?.dtsTicks ?? 0) - first))).toBeLessThanOrEqual(45);
      expect(Math.abs(unit.ptsTicks - 90_000 - ((sent[index]?.ptsTicks ?? 0) - first))).toBeLessThanOrEqual(45);
    }
  });

  it('carry several tracks of several codecs to a receiver that states them', () => {
    const tracks: Track[] = [media.video, { ...media.video, id: 'v2' }, opus, { ...media.audio, id: 'a2' }];
    const { places, leftOut } = flvLayout(tracks, ALL);
    expect(leftOut).toEqual([]);
    expect(places.map(({ codec, form, trackNumber }) => [codec, form, trackNumber])).toEqual([
      ['avc1', 'old', 0],
      ['avc1', 'multitrack', 1],
      ['Opus', 'enhanced', 0],
      ['mp4a', 'multitrack', 1],
    ]);
    const data = [picture(9, true), picture(12, true), Uint8Array.of(0xf0, 1, 2), Uint8Array.of(0x21, 7)];
    const units = places.map((place, index) =>
      writeUnitMessage(
        place,
        { timestampMs: 40, compositionTimeMs: index === 1 ? 80 : 0 },
        { isRandomAccess: true, data: data[index] as Uint8Array },
      ),
    );
    const back = readBack([...writeConfigMessages(places, 0), ...units]);
    expect(back.tracks.map(({ id, codec }) => [id, codec])).toEqual([
      ['v1', 'h264'],
      ['v2', 'h264'],
      ['a1', 'opus'],
      ['a2', 'aac'],
    ]);
    for (const [index, track] of tracks.entries())
      expect(Buffer.from(back.tracks[index]?.decoderConfig ?? [])).toEqual(Buffer.from(track.decoderConfig));
    expect(back.units.map(({ trackId, ptsTicks, data: bytes }) => [trackId, ptsTicks, bytes])).toEqual([
      ['v1', 3600, Uint8Array.from(data[0] as Uint8Array)],
      ['v2', 10_800, Uint8Array.from(data[1] as Uint8Array)],
      ['a1', 3600, data[2]],
      ['a2', 3600, data[3]],
    ]);
  });

  it('describe the tracks in onMetaData', () => {
    const hevc: Track = { ...media.video, codec: 'h265', fps: 25 };
    const second: AudioTrack = { ...opus, id: 'a2' };
    const { places } = flvLayout([hevc, media.audio, second], ALL);
    const reader = new ChunkStreamReader({
      message: (type, _, __, payload) => {
        const [order, name, value] = readDataMessage(type, payload);
        expect([order, name]).toEqual(['@setDataFrame', 'onMetaData']);
        const fields = amfFields(value);
        expect(Object.fromEntries(fields ?? [])).toMatchObject({
          width: 160,
          height: 90,
          framerate: 25,
          videocodecid: 0x68766331,
          audiocodecid: 10,
          audiosamplerate: 48_000,
          stereo: media.audio.channels > 1,
          encoder: 'Airdesk',
        });
        expect(amfFields(amfFields(fields?.get('audioTrackIdInfoMap'))?.get('1'))?.get('audiocodecid')).toBe(
          0x4f707573,
        );
        expect(fields?.has('videoTrackIdInfoMap')).toBe(false);
      },
      problem: ({ detail }) => {
        throw new Error(detail);
      },
    });
    expect.assertions(4);
    reader.push(new ChunkStreamWriter().write(2, writeSetChunkSize(SHARED_CHUNK_BYTES)));
    reader.push(writeMetadataMessage(places, true));
  });

  it('can be sent on another message stream', () => {
    const [place] = flvLayout([media.video], NO_FLV_CAPABILITIES).places;
    if (!place) throw new Error('no place');
    const message = writeUnitMessage(
      place,
      { timestampMs: 0x1234567, compositionTimeMs: 0 },
      { isRandomAccess: true, data: picture(70_000, true) },
    );
    const ids: number[] = [];
    for (const bytes of [message, withStreamId(message, 1), withStreamId(message, 0x01020304)]) {
      const reader = new ChunkStreamReader({
        message: (_, streamId, timestampMs, payload) => {
          ids.push(streamId, timestampMs, payload.length);
        },
        problem: () => {},
      });
      reader.push(new ChunkStreamWriter().write(2, writeSetChunkSize(SHARED_CHUNK_BYTES)));
      reader.push(bytes);
    }
    expect(ids).toEqual([1, 0x1234567, 70_009, 1, 0x1234567, 70_009, 0x01020304, 0x1234567, 70_009]);
    expect(withStreamId(message, 1)).toBe(message);
  });
});

describe('the layout for a receiver', () => {
  const ac3: AudioTrack = { ...media.audio, id: 'a2', codec: 'ac3' };
  const mp2: AudioTrack = { ...media.audio, id: 'a3', codec: 'mp2' };

  it('leaves out what the receiver does not state', () => {
    const { places, leftOut } = flvLayout([media.video, opus, media.audio, ac3, mp2], NO_FLV_CAPABILITIES);
    expect(places.map(({ track, form }) => [track.codec, form])).toEqual([
      ['h264', 'old'],
      ['aac', 'old'],
    ]);
    expect(leftOut.map(({ track, reason }) => [track.codec, reason])).toEqual([
      ['opus', 'codec'],
      ['ac3', 'codec'],
      ['mp2', 'codec'],
    ]);
    const second = flvLayout([media.video, media.audio, { ...media.audio, id: 'a2' }], NO_FLV_CAPABILITIES);
    expect(second.leftOut.map(({ reason }) => reason)).toEqual(['number']);
  });

  it('reads the lists of Enhanced RTMP', () => {
    const of = (fields: Parameters<typeof amfObject>[0]): FlvCapabilities =>
      readFlvCapabilities(amfObject(fields).fields);
    expect(of({ fourCcList: ['av01', 'ac-3', 7] })).toEqual({
      codecs: new Set(['av01', 'ac-3']),
      hasMultitrack: false,
    });
    expect(of({ audioFourCcInfoMap: amfObject({ Opus: 1, 'ec-3': 2, fLaC: 4 }), capsEx: 3 })).toEqual({
      codecs: new Set(['Opus', 'fLaC']),
      hasMultitrack: true,
    });
    expect(of({ fourCcList: 'Opus', capsEx: 'all', videoFourCcInfoMap: null })).toEqual(NO_FLV_CAPABILITIES);
  });
});

describe('the clock of a stream', () => {
  it('continues after a discontinuity without a jump, and no track goes back', () => {
    const clock = new FlvClock();
    const [video, audio] = [media.video, { ...media.audio, timescale: 48_000 }];
    const hourTicks = 3600 * 90_000;
    expect(clock.place(video, hourTicks, hourTicks + 7200)).toEqual({ timestampMs: 1000, compositionTimeMs: 80 });
    expect(clock.place(audio, 3600 * 48_000 + 1024, 3600 * 48_000 + 1024)).toEqual({
      timestampMs: 1021,
      compositionTimeMs: 0,
    });
    clock.discontinuity();
    expect(clock.place(video, 90_000, 90_000)).toEqual({ timestampMs: 1121, compositionTimeMs: 0 });
    expect(clock.place(audio, 48_000 - 9600, 48_000 - 9600)).toEqual({ timestampMs: 1021, compositionTimeMs: -100 });
    expect(clock.nowMs).toBe(1121);
  });
});
