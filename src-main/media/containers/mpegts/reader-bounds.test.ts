import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../../tests/helpers/growth.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { PidOutput, PacketOutput } from './packet-output.ts';
import { writePat, type PatProgram } from './pat.ts';
import { MAX_PES_BYTES } from './pes-collector.ts';
import { writePmt, type PmtStream } from './pmt.ts';
import { MAX_TRACKS } from './program-streams.ts';
import { MpegTsReader } from './reader.ts';

function sectionPackets(pid: number, section: Uint8Array): Buffer {
  const output = new PacketOutput();
  output.section(new PidOutput(pid, 0), section, true);
  return output.take();
}

const head = { isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
const pat = (programs: readonly PatProgram[], version = 0, section = {}) =>
  sectionPackets(0, writePat({ ...head, ...section, transportStreamId: 1, version, programs }));
const pmt = (pids: readonly number[], version: number, streamType = 0x0f) => {
  const streams: PmtStream[] = pids.map((pid) => ({ streamType, pid, descriptors: [] }));
  return sectionPackets(
    256,
    writePmt({ ...head, programNumber: 1, version, pcrPid: 0x1fff, descriptors: [], streams }),
  );
};
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
const oneProgram = pat([{ programNumber: 1, pmtPid: 256 }]);

function read(pieces: readonly Uint8Array[]): { sink: RecordingSink; reader: MpegTsReader } {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  for (const piece of pieces) reader.push(piece);
  return { sink, reader };
}

describe('the tables of a transport stream', () => {
  it('open a limited number of tracks, and the remaining tracks are reported', () => {
    const { sink, reader } = read([oneProgram, pmt(range(1000, 200), 0)]);
    expect(sink.problems).toEqual([
      {
        code: 'ts_too_many_tracks',
        ...because('ts_tracks_left_out', { count: 200 - MAX_TRACKS.audio, video: 4, audio: 16 }),
      },
    ]);
    expect(reader.bufferedBytes).toBeLessThan(1 << 20);
  });

  it('are ignored while they change too often', () => {
    const flips = range(0, 400).map((at) => pmt(range(at % 2 === 0 ? 1000 : 3000, 200), at % 2));
    const { sink, reader } = read([oneProgram, ...flips]);
    expect(sink.codes).toContain('ts_too_many_changes');
    const before = sink.problems.length;
    reader.push(sectionPackets(0x1000, new Uint8Array(184 * 2000)));
    reader.push(pmt([1000], 7, 0x02));
    expect(sink.problems.slice(before).map(({ code }) => code)).toEqual(['codec_unknown', 'input_no_tracks']);
  });

  it('cannot make open PES packets exceed the memory limit', () => {
    const pids = range(1000, MAX_TRACKS.audio);
    const { sink, reader } = read([oneProgram, pmt(pids, 0)]);
    const start = Buffer.concat([Buffer.of(0, 0, 1, 0xc0, 0, 0, 0x80, 0, 0), Buffer.alloc(7 << 20)]);
    for (const pid of pids) {
      const output = new PacketOutput();
      output.payload(new PidOutput(pid, 0), start, start.length, { isRandomAccess: false, isDiscontinuity: false });
      reader.push(output.take());
    }
    expect(reader.bufferedBytes).toBeLessThanOrEqual(MAX_PES_BYTES + pids.length * 64 * 1024);
    expect(sink.codes).toEqual(['pes_too_large']);
  });

  it('are read in time proportional to their size', async () => {
    const flips = (size: number) =>
      Buffer.concat([oneProgram, ...range(0, size).map((at) => pmt(range(at % 2 === 0 ? 1000 : 3000, 200), at % 2))]);
    const sizes = [16, 128, 1024];
    await expectLinear({ make: flips, run: (bytes) => read([bytes]), sizes });
    const associations = (size: number) =>
      Buffer.concat(
        range(0, size).map((at) => {
          const programs = range(1, 250).map((number) => ({ programNumber: number + at, pmtPid: 32 + number }));
          return pat(programs, 0, { sectionNumber: at % 256, lastSectionNumber: 255 });
        }),
      );
    await expectLinear({ make: associations, run: (bytes) => read([bytes]), sizes });
    const full = (size: number) =>
      Buffer.concat([
        ...range(0, 256).map((at) => pat([], 0, { sectionNumber: at, lastSectionNumber: 255 })),
        ...range(0, size).map((at) => pat([{ programNumber: at, pmtPid: 33 }], 0, { lastSectionNumber: 255 })),
      ]);
    await expectLinear({ make: full, run: (bytes) => read([bytes]), sizes });
  });
});
