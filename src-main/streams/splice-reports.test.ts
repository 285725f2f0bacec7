import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src-preload/contract/events/catalogue.ts';
import { spliceObjectSchema } from '../../src-preload/contract/api/splice-object.ts';
import { z } from 'zod';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { writeSpliceInfo } from '../media/scte35/splice-info.ts';
import { spliceOnTimeline } from '../stream/stream-splice.ts';
import type { WindowSplice } from '../segment/segment-window.ts';
import { spliceObjectOf } from './splice-object-of.ts';
import { SpliceReports } from './splice-reports.ts';

const AT_MS = 1_800_000_000_000;

function windowSplice(section: Uint8Array): WindowSplice {
  const placed = spliceOnTimeline({ sourceId: 1, section, atTicks: 900_000 }, AT_MS * 90 - 900_000);
  if (!placed) throw new Error('the section is damaged');
  return { ...placed, section: Buffer.from(placed.section).toString('base64') };
}

/** A break announced by a time_signal, with an Ad-ID. */
function timeSignal(upid: Uint8Array, upidType = 0x03): WindowSplice {
  return windowSplice(
    writeSpliceInfo({
      sapType: 3,
      ptsAdjustmentTicks: 0,
      cwIndex: 0,
      tier: 0xfff,
      command: { type: 'time-signal', ptsTicks: 1_800_000 },
      descriptors: [
        {
          type: 'segmentation',
          eventId: 44,
          isCancel: false,
          hasFreeEventId: true,
          durationTicks: 2_700_000,
          upidType,
          upid,
          segmentationTypeId: 0x30,
          segmentNumber: 1,
          segmentsExpected: 2,
        },
      ],
    }),
  );
}

describe('a splice point in the API', () => {
  it('has the fields of its splice_insert', () => {
    const splice = windowSplice(spliceInsert({ ptsTicks: 990_000, eventId: 5, durationMs: 30_000 }));
    expect(spliceObjectSchema.parse(spliceObjectOf(splice))).toEqual({
      at: AT_MS + 1000,
      kind: 'out',
      command: 'splice_insert',
      event_id: 5,
      duration: 30_000,
      auto_return: true,
      pts: ((AT_MS + 1000) * 90) % 2 ** 33,
      segmentation: [],
      section: splice.section,
    });
    expect(spliceObjectOf(windowSplice(spliceInsert()))).toMatchObject({ at: AT_MS, pts: null });
  });

  it('has the fields of its segmentation descriptors', () => {
    const shown = spliceObjectSchema.parse(spliceObjectOf(timeSignal(Buffer.from('ABCD0123456H'))));
    expect(shown).toMatchObject({ kind: 'out', command: 'time_signal', event_id: 44, duration: 30_000 });
    expect(shown.segmentation).toEqual([
      {
        event_id: 44,
        is_cancelled: false,
        type_id: 0x30,
        type: 'Provider Advertisement Start',
        duration: 30_000,
        upid_type_id: 3,
        upid_type: 'Ad-ID',
        upid: 'ABCD0123456H',
        segment_number: 1,
        segments_expected: 2,
      },
    ]);
    expect(spliceObjectOf(timeSignal(Uint8Array.of(0, 1, 0xab), 0x08)).segmentation[0]).toMatchObject({
      upid_type: 'TI',
      upid: '0x0001AB',
    });
    expect(spliceObjectOf(timeSignal(Uint8Array.of(0x0a), 0x03)).segmentation[0]?.upid).toBe('0x0A');
    expect(spliceObjectOf(timeSignal(Uint8Array.of(), 0x77)).segmentation[0]?.upid_type).toBe('0x77');
  });
});

describe('SpliceReports', () => {
  const fields = z.object(EVENTS.splice_point.fields);

  it('emits each point once, and again when it moves or is cancelled', () => {
    const reports = new SpliceReports();
    const first = windowSplice(spliceInsert({ ptsTicks: 990_000 }));
    expect(fields.parse(reports.take('cam', first, 0))).toMatchObject({
      media: 'cam',
      kind: 'out',
      splice_event_id: 7,
      left_out: 0,
    });
    for (let again = 1; again < 100; again++) expect(reports.take('cam', first, again)).toBeUndefined();
    const moved = windowSplice(spliceInsert({ ptsTicks: 1_080_000 }));
    expect(reports.take('cam', moved, 200)).toMatchObject({ at: moved.atMs });
    expect(reports.take('cam', windowSplice(spliceInsert({ isCancel: true })), 300)).toMatchObject({ kind: 'cancel' });
    const named = reports.take('cam', timeSignal(Buffer.from('ABCD0123456H')), 400);
    expect(fields.parse(named)).toMatchObject({
      segmentation_type: 'Provider Advertisement Start',
      upid: 'ABCD0123456H',
    });
  });

  it('limits reports during a flood, and counts the omitted points', () => {
    const reports = new SpliceReports();
    const reported = Array.from({ length: 20_000 }, (_, index) =>
      reports.take('cam', windowSplice(spliceInsert({ ptsTicks: 990_000, eventId: index })), index),
    ).filter((report) => report !== undefined);
    // 16 at once, and one more every five seconds, for twenty seconds.
    expect(reported.length).toBeLessThanOrEqual(20);
    const leftOut = reported.reduce((sum, report) => sum + report.left_out, 0);
    expect(leftOut).toBeGreaterThan(10_000);
  });
});
