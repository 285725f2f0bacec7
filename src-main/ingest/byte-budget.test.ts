import { expect, it } from 'vitest';
import { PidOutput, PacketOutput } from '../media/containers/mpegts/packet-output.ts';
import { writePat } from '../media/containers/mpegts/pat.ts';
import { writePmt } from '../media/containers/mpegts/pmt.ts';
import { RecordingInput } from '../../tests/helpers/recording-input.ts';
import { ByteBudget } from './byte-budget.ts';
import { TsIntake } from './mpegts/ts-intake.ts';

it('ByteBudget evicts the largest holder until the bytes fit', () => {
  const evicted: string[] = [];
  const budget = new ByteBudget(100);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => budget.open(({ code }) => evicted.push(`${name} ${code}`)));
  a?.setBytes(40);
  b?.setBytes(50);
  c?.setBytes(10);
  expect(budget.counters).toEqual({ usedBytes: 100, holders: 3, evicted: 0 });
  c?.setBytes(11);
  expect(evicted).toEqual(['b input_too_large']);
  expect(budget.counters).toEqual({ usedBytes: 51, holders: 2, evicted: 1 });
  b?.setBytes(1000);
  a?.close();
  a?.close();
  c?.setBytes(101);
  expect(evicted).toEqual(['b input_too_large', 'c input_too_large']);
  expect(budget.counters).toEqual({ usedBytes: 0, holders: 0, evicted: 2 });
});

it('ByteBudget ends the transport stream that holds the most bytes', () => {
  const head = { version: 0, isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
  const budget = new ByteBudget(6 << 20);
  const intakes = [1, 2, 4].map((mebibytes) => {
    const sink = new RecordingInput();
    const intake = new TsIntake(sink, { budget });
    const output = new PacketOutput();
    const streams = [{ streamType: 0x1b, pid: 257, descriptors: [] }];
    output.section(
      new PidOutput(0, 0),
      writePat({ ...head, transportStreamId: 1, programs: [{ programNumber: 1, pmtPid: 256 }] }),
      false,
    );
    output.section(
      new PidOutput(256, 0),
      writePmt({ ...head, programNumber: 1, pcrPid: 257, descriptors: [], streams }),
      false,
    );
    const picture = Buffer.concat([Buffer.of(0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0), Buffer.alloc((mebibytes << 20) - 2000)]);
    output.payload(new PidOutput(257, 0), picture, picture.length, { isRandomAccess: false, isDiscontinuity: false });
    intake.push(output.take());
    return { intake, sink };
  });
  expect(intakes.map(({ sink }) => sink.ends.map(({ code }) => code))).toEqual([[], [], ['input_too_large']]);
  expect(budget.counters).toMatchObject({ holders: 2, evicted: 1 });
  for (const { intake } of intakes) intake.cancel();
  expect(budget.counters).toEqual({ usedBytes: 0, holders: 0, evicted: 1 });
});
