import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import { readSpliceInfo, writeSpliceInfo } from '../../scte35/splice-info.ts';
import { ffmpeg, ffprobe, probePackets, testSources } from '../../../../tests/helpers/ffmpeg-media.ts';
import { readAvcC } from '../../codecs/nal/avcc.ts';
import { readHvcC } from '../../codecs/nal/hvcc.ts';
import { readPacketHeader, TIMESTAMP_WRAP_TICKS, wrapTicks } from './packet.ts';
import { MpegTsReader } from './reader.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { MpegTsWriter, type MpegTsWriterOptions } from './writer.ts';

function read(bytes: Uint8Array): RecordingSink {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  reader.push(bytes);
  reader.flush();
  return sink;
}

const sources = new Map<string, { tracks: readonly Track[]; units: AccessUnit[] }>();

/** Tracks and units of a stream encoded by ffmpeg, in decoding order. */
function media(name: string): { tracks: readonly Track[]; units: AccessUnit[] } {
  const found = sources.get(name);
  if (!found) throw new Error(`no media ${name}`);
  return found;
}

function write(name: string, options: MpegTsWriterOptions = {}, shiftTicks = 0): Buffer {
  const { tracks, units } = media(name);
  const writer = new MpegTsWriter(tracks, options);
  for (const unit of units)
    writer.accessUnit({ ...unit, dtsTicks: unit.dtsTicks + shiftTicks, ptsTicks: unit.ptsTicks + shiftTicks });
  return writer.take();
}

function headers(bytes: Buffer): NonNullable<ReturnType<typeof readPacketHeader>>[] {
  return Array.from({ length: bytes.length / 188 }, (_, n) => readPacketHeader(bytes, n * 188)!);
}

const byTrack = (sink: RecordingSink, id: string, shift = 0): unknown[] =>
  sink.units(id).map((unit) => ({ ...unit, dtsTicks: unit.dtsTicks - shift, ptsTicks: unit.ptsTicks - shift }));

beforeAll(() => {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-x264-params', 'keyint=25:b-adapt=0:threads=1'];
  const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=25:log-level=error:pools=1'];
  const all: [string, string[]][] = [
    ['h264', [...testSources(3, 1), ...h264, '-c:a', 'aac', '-metadata:s:a:0', 'language=fra']],
    ['h265', [...testSources(2, 2), '-map', '0', '-map', '1', '-map', '2', ...h265, '-c:a:0', 'ac3', '-c:a:1', 'eac3']],
    [
      'audio',
      [
        ...testSources(2, 3),
        '-map',
        '1',
        '-map',
        '2',
        '-map',
        '3',
        '-c:a:0',
        'libmp3lame',
        '-c:a:1',
        'mp2',
        '-c:a:2',
        'libopus',
      ],
    ],
  ];
  for (const [name, args] of all) {
    const sink = read(ffmpeg([...args, '-f', 'mpegts']));
    sources.set(name, {
      tracks: sink.announcements[0] ?? [],
      units: sink.units().sort((a, b) => a.dtsTicks - b.dtsTicks),
    });
  }
});

describe('MpegTsWriter', () => {
  it.each(['h264', 'h265', 'audio'])('writes %s so that the reader returns the same tracks and units', (name) => {
    const bytes = write(name);
    const { tracks, units } = media(name);
    const sink = read(bytes);
    expect(sink.problems).toEqual([]);
    expect(
      sink.announcements[0]?.map(({ id, codecString, language, decoderConfig }) => ({
        id,
        codecString,
        language,
        decoderConfig,
      })),
    ).toEqual(
      tracks.map(({ id, codecString, language, decoderConfig }) => ({ id, codecString, language, decoderConfig })),
    );
    for (const { id } of tracks) expect(byTrack(sink, id)).toEqual(units.filter(({ trackId }) => trackId === id));
  });

  it.each(['h264', 'h265', 'audio'])('writes %s without warnings of ffprobe, with the given times', (name) => {
    const bytes = write(name);
    const { tracks, units } = media(name);
    const probed = probePackets(bytes);
    tracks.forEach(({ id }, stream) => {
      expect(probed.filter((packet) => packet.stream === stream).map(({ ptsTicks }) => ptsTicks)).toEqual(
        units.filter(({ trackId }) => trackId === id).map(({ ptsTicks }) => ptsTicks),
      );
    });
    // Warnings would precede the list.
    expect(ffprobe(bytes, ['-of', 'csv=p=0', '-show_entries', 'stream=codec_type']).trim().split(/\s+/).sort()).toEqual(
      [...tracks, ...tracks].map(({ content }) => content).sort(),
    );
  });

  it.each(['h264', 'h265'])(
    'writes parameter sets before the first picture of %s, whichever picture comes first',
    (name) => {
      const { tracks, units } = media(name);
      const video = tracks.filter(({ content }) => content === 'video');
      const pictures = units.filter(({ trackId, isRandomAccess }) => trackId === 'v1' && !isRandomAccess).slice(0, 3);
      const config = video[0]?.decoderConfig ?? expect.fail('no picture');
      const avcC = name === 'h264' ? readAvcC(config) : undefined;
      const sets = avcC ? [...avcC.sps, ...avcC.pps] : readHvcC(config)?.arrays.flatMap(({ units: all }) => [...all]);
      expect(sets?.length).toBeGreaterThan(1);
      const writer = new MpegTsWriter(video);
      for (let round = 0; round < 2; round++) {
        for (const unit of pictures) writer.accessUnit(unit);
        const bytes = writer.take();
        for (const set of sets ?? []) {
          expect(bytes.indexOf(set)).toBeGreaterThan(0);
          expect(bytes.indexOf(set)).toBe(bytes.lastIndexOf(set));
        }
        writer.setTracks(video);
      }
    },
  );

  it('writes the same bytes for the same calls', () => {
    expect(write('h264').equals(write('h264'))).toBe(true);
  });

  it('writes UTC times across the wrap', () => {
    const shift = Math.floor(1_800_000_000 / (2 ** 33 / 90_000)) * TIMESTAMP_WRAP_TICKS - 1.5 * 90_000 - 126_000;
    const sink = read(write('h264', {}, shift));
    const first = sink.units('v1')[0];
    expect(first?.dtsTicks).toBe(
      wrapTicks((media('h264').units.find(({ trackId }) => trackId === 'v1')?.dtsTicks ?? 0) + shift),
    );
    expect(byTrack(sink, 'v1', (first?.dtsTicks ?? 0) - 126_000)).toEqual(
      media('h264').units.filter(({ trackId }) => trackId === 'v1'),
    );
    expect(Math.max(...sink.units('v1').map(({ dtsTicks }) => dtsTicks))).toBeGreaterThan(TIMESTAMP_WRAP_TICKS);
  });

  it('repeats tables and clock references in time, and counts packets without a gap', () => {
    const last = new Map<number, number>();
    let clock = Number.NaN;
    let sinceTables = 0;
    const tableGaps: number[] = [];
    for (const header of headers(write('h264'))) {
      if (header.payloadStart < 188) {
        const before = last.get(header.pid);
        if (before !== undefined) expect(header.continuity).toBe((before + 1) & 15);
        last.set(header.pid, header.continuity);
      }
      if (header.pid === 0) {
        tableGaps.push(clock - sinceTables);
        sinceTables = clock;
      }
      if (header.pcrTicks !== undefined) {
        if (!Number.isNaN(clock)) {
          expect(header.pcrTicks).toBeGreaterThan(clock);
          expect(header.pcrTicks - clock).toBeLessThanOrEqual(3600);
        }
        clock = header.pcrTicks;
      }
    }
    expect(tableGaps.filter((gap) => gap > 12_600)).toEqual([]);
    expect(tableGaps.length).toBeGreaterThan(20);
  });

  it('writes clock references for a stream of audio only', () => {
    const clocks = headers(write('audio')).flatMap(({ pcrTicks }) => (pcrTicks === undefined ? [] : [pcrTicks]));
    expect(clocks.length).toBeGreaterThan(40);
    clocks.slice(1).forEach((clock, index) => {
      expect(clock - clocks[index]!).toBeLessThanOrEqual(9000);
      expect(clock).toBeGreaterThan(clocks[index]!);
    });
  });

  it('starts its clock `delayTicks` before the first decoding time', () => {
    const bytes = write('h264', { delayTicks: 20_000 });
    const clock = headers(bytes).find(({ pcrTicks }) => pcrTicks !== undefined)?.pcrTicks;
    expect(clock).toBe(
      Math.min(
        ...media('h264')
          .units.filter(({ trackId }) => trackId === 'v1')
          .map(({ dtsTicks }) => dtsTicks),
      ) - 20_000,
    );
  });

  it('starts each segment with tables, and continues the given counters', () => {
    const { tracks, units } = media('h264');
    const middle = units.findIndex((unit, index) => index > 40 && unit.trackId === 'v1' && unit.isRandomAccess);
    const first = new MpegTsWriter(tracks);
    for (const unit of units.slice(0, middle)) first.accessUnit(unit);
    const head = first.take();
    const second = new MpegTsWriter(tracks, { continuity: first.continuity });
    for (const unit of units.slice(middle)) second.accessUnit(unit);
    const tail = second.take();
    expect(
      headers(tail)
        .slice(0, 3)
        .map(({ pid }) => pid),
    ).toEqual([0, 0x1000, 0x100]);
    expect(headers(tail)[2]).toMatchObject({ isRandomAccess: true, isUnitStart: true });
    const both = read(Buffer.concat([head, tail]));
    expect(both.problems).toEqual([]);
    for (const { id } of tracks) expect(byTrack(both, id)).toEqual(units.filter(({ trackId }) => trackId === id));
  });

  it('marks the restart of its counters if requested', () => {
    const marked = headers(write('h264', { marksRestart: true }));
    for (const pid of [0, 0x1000, 0x100, 0x101]) {
      expect(
        marked
          .filter((header) => header.pid === pid)
          .map(({ isDiscontinuity }) => isDiscontinuity)
          .slice(0, 3),
      ).toEqual([true, false, false]);
    }
    const two = Buffer.concat([write('h264', { marksRestart: true }), write('h264', { marksRestart: true }, 300_000)]);
    expect(read(two).problems).toEqual([]);
  });

  it('announces changed tracks with a new version of the map', () => {
    const { tracks, units } = media('h264');
    const writer = new MpegTsWriter(tracks);
    for (const unit of units.slice(0, 100)) writer.accessUnit(unit);
    writer.setTracks(tracks.slice(0, 1));
    for (const unit of units.slice(100)) writer.accessUnit(unit);
    const sink = read(writer.take());
    expect(sink.announcements.map((list) => list.map(({ id }) => id))).toEqual([['v1', 'a1'], ['v1']]);
    expect(sink.units('v1')).toEqual(units.filter(({ trackId }) => trackId === 'v1'));
  });

  it('changes to other codecs, which the reader follows', () => {
    const before = media('h264');
    const after = media('h265');
    const writer = new MpegTsWriter(before.tracks);
    for (const unit of before.units) writer.accessUnit(unit);
    writer.setTracks(after.tracks);
    for (const unit of after.units)
      writer.accessUnit({ ...unit, dtsTicks: unit.dtsTicks + 300_000, ptsTicks: unit.ptsTicks + 300_000 });
    const sink = read(writer.take());
    expect(sink.announcements.map((list) => list.map(({ codec }) => codec))).toEqual([
      ['h264', 'aac'],
      ['h265', 'ac3', 'eac3'],
    ]);
    const codecs = sink.calls.flatMap((call) => ('tracks' in call ? ['tracks'] : 'unit' in call ? ['unit'] : []));
    expect(codecs.filter((call, index) => call !== codecs[index - 1])).toEqual(['tracks', 'unit', 'tracks', 'unit']);
    expect(sink.units('v1')).toHaveLength(
      [...before.units, ...after.units].filter(({ trackId }) => trackId === 'v1').length,
    );
  });

  it('writes splice information sections', () => {
    const section = writeSpliceInfo({
      sapType: 3,
      ptsAdjustmentTicks: 0,
      cwIndex: 255,
      tier: 0xfff,
      command: { type: 'time-signal', ptsTicks: 200_000 },
      descriptors: [],
    });
    const { tracks, units } = media('h264');
    const writer = new MpegTsWriter(tracks, { hasSplices: true });
    units.forEach((unit, index) => {
      if (index === 50 || index === 80) writer.splice(section);
      writer.accessUnit(unit);
    });
    const sink = read(writer.take());
    expect(sink.splices.map((splice) => readSpliceInfo(splice.section))).toEqual([
      readSpliceInfo(section),
      readSpliceInfo(section),
    ]);
    expect(sink.splices[0]).toMatchObject({ sourceId: 0x1f0 });
    expect(Math.abs((sink.splices[0]?.atTicks ?? 0) - units[50]!.dtsTicks)).toBeLessThan(20_000);
    expect(sink.problems).toEqual([]);
  });

  it('ignores units of unknown tracks', () => {
    const { tracks, units } = media('h264');
    const writer = new MpegTsWriter(tracks.slice(1));
    for (const unit of units) writer.accessUnit(unit);
    expect(
      read(writer.take())
        .units()
        .every(({ data }) => data.length > 0),
    ).toBe(true);
    expect(read(write('h264')).announcements[0]).toHaveLength(2);
  });
});
