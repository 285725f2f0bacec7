import { wrapTicks } from '../../src-main/media/containers/mpegts/packet.ts';
import { writeSpliceInfo } from '../../src-main/media/scte35/splice-info.ts';
import type { SegmentationDescriptor } from '../../src-main/media/scte35/segmentation-descriptor.ts';

/** Content of a generated section. Times in 90 kHz ticks of its stream. */
export interface GeneratedSplice {
  /** Time of the splice point; default: immediate. */
  readonly ptsTicks?: number;
  readonly eventId?: number;
  /** Whether a break starts; false if it ends. */
  readonly isOut?: boolean;
  readonly isCancel?: boolean;
  /** Duration of the break; null if it is not stated. */
  readonly durationMs?: number | null;
  /** Whether the break returns automatically; default: true. */
  readonly isAutoReturn?: boolean;
  readonly ptsAdjustmentTicks?: number;
}

/** Splice information section with `splice_insert` (SCTE 35, 9.7.3). */
export function spliceInsert(splice: GeneratedSplice = {}): Uint8Array {
  const { ptsTicks, eventId = 7, isOut = true, isCancel = false, durationMs = 30_000, ptsAdjustmentTicks = 0 } = splice;
  return writeSpliceInfo({
    sapType: 3,
    ptsAdjustmentTicks,
    cwIndex: 0,
    tier: 0xfff,
    command: {
      type: 'insert',
      eventId,
      isCancel,
      isOutOfNetwork: isOut,
      isImmediate: ptsTicks === undefined,
      hasFreeEventId: false,
      ...(ptsTicks === undefined ? {} : { ptsTicks: wrapTicks(ptsTicks - ptsAdjustmentTicks) }),
      ...(isOut && durationMs !== null
        ? { breakDuration: { isAutoReturn: splice.isAutoReturn ?? true, durationTicks: durationMs * 90 } }
        : {}),
      uniqueProgramId: 1,
      availNumber: 0,
      availsExpected: 0,
    },
    descriptors: [],
  });
}

/** Segmentation descriptor of a generated `time_signal`. */
export interface MadeSegmentation {
  readonly eventId: number;
  /** segmentation_type_id, such as 0x34; 0 with `isCancel`. */
  readonly typeId?: number;
  readonly durationMs?: number;
  readonly isCancel?: boolean;
}

/** Splice information section with `time_signal` (SCTE 35, 9.7.4). @param ptsTicks 90 kHz ticks of its stream */
export function timeSignal(ptsTicks: number, segmentations: readonly MadeSegmentation[]): Uint8Array {
  return writeSpliceInfo({
    sapType: 3,
    ptsAdjustmentTicks: 0,
    cwIndex: 0,
    tier: 0xfff,
    command: { type: 'time-signal', ptsTicks: wrapTicks(ptsTicks) },
    descriptors: segmentations.map(({ eventId, typeId = 0, durationMs, isCancel = false }): SegmentationDescriptor => ({
      type: 'segmentation',
      eventId,
      isCancel,
      hasFreeEventId: false,
      ...(durationMs === undefined ? {} : { durationTicks: durationMs * 90 }),
      upidType: 0,
      upid: new Uint8Array(0),
      segmentationTypeId: typeId,
      segmentNumber: 0,
      segmentsExpected: 0,
    })),
  });
}
