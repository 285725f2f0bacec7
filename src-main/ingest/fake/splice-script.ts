import { wrapTicks } from '../../media/containers/mpegts/packet.ts';
import { makeCancelSection, makeSpliceSection } from '../../media/scte35/splice-section.ts';
import type { SegmentationDescriptor } from '../../media/scte35/segmentation-descriptor.ts';
import { writeSpliceInfo } from '../../media/scte35/splice-info.ts';

/** Kinds of marks of a test picture: typical output of encoders and automation, including omissions. */
export const SPLICE_KINDS = [
  /** Break with a duration and automatic return. */
  'return',
  /** Break with a duration and automatic return that starts with the message. */
  'immediate',
  /** Break with a duration but no automatic return, and a point that ends it. */
  'end',
  /** Break with a duration and automatic return, and a point that ends it at half of the duration. */
  'early',
  /** Break without a duration, up to the point that ends it. */
  'open',
  /** Break with a duration but no automatic return, whose end point is missing. */
  'missing',
  /** Break that is announced, and cancelled before it starts. */
  'cancel',
  /** Break that is announced again every second. */
  'repeat',
  /** Break with another break inside it. */
  'nested',
  /** `time_signal` with segmentation descriptors of a provider's placement opportunity. */
  'signal',
] as const;

export type SpliceKind = (typeof SPLICE_KINDS)[number];

/** Section with its time of sending: ticks after the splice point, negative before it. */
export interface ScriptedSection {
  readonly afterTicks: number;
  readonly section: Uint8Array;
}

/** Break of a test picture. Times in 90 kHz ticks of the input. */
export interface ScriptedBreak {
  readonly kind: SpliceKind;
  readonly eventId: number;
  /** Start of the break. */
  readonly pointTicks: number;
  readonly lengthTicks: number;
  /** Notice before the break. */
  readonly noticeTicks: number;
}

const TICKS_PER_MS = 90;
const TICKS_PER_SECOND = 90_000;
/** Bit that is inverted in the event id of a nested break. */
const INNER_ID = 0x4000_0000;
/** segmentation_type_id (SCTE 35, table 23). */
const [OPPORTUNITY_START, OPPORTUNITY_END] = [0x34, 0x35];

/** Sections to send for a break, in time order. */
export function splicesOf({
  kind,
  eventId,
  pointTicks,
  lengthTicks,
  noticeTicks,
}: ScriptedBreak): readonly ScriptedSection[] {
  const durationMs = lengthTicks / TICKS_PER_MS;
  const out = (more: object = {}): Uint8Array =>
    makeSpliceSection({ eventId, isOut: true, durationMs, ptsTicks: pointTicks, ...more });
  const end = (afterTicks: number, id = eventId): ScriptedSection => ({
    // Sent slightly early, because a message at the exact time would be too late.
    afterTicks: afterTicks - Math.min(noticeTicks, lengthTicks) / 4,
    section: makeSpliceSection({ eventId: id, isOut: false, ptsTicks: pointTicks + afterTicks }),
  });
  const announced = (section: Uint8Array): ScriptedSection => ({ afterTicks: -noticeTicks, section });
  switch (kind) {
    case 'return':
      return [announced(out())];
    case 'immediate':
      return [{ afterTicks: 0, section: out({ ptsTicks: undefined }) }];
    case 'end':
      return [announced(out({ isAutoReturn: false })), end(lengthTicks)];
    case 'early':
      return [announced(out()), end(lengthTicks / 2)];
    case 'open':
      return [announced(out({ durationMs: undefined })), end(lengthTicks)];
    case 'missing':
      return [announced(out({ isAutoReturn: false }))];
    case 'cancel':
      return [announced(out()), { afterTicks: -noticeTicks / 2, section: makeCancelSection(eventId) }];
    case 'repeat': {
      const times = Math.max(2, Math.floor(noticeTicks / TICKS_PER_SECOND));
      return Array.from({ length: times }, (_, index) => ({
        afterTicks: -noticeTicks + (index * noticeTicks) / times,
        section: out(),
      }));
    }
    case 'nested': {
      const inner = makeSpliceSection({
        eventId: eventId ^ INNER_ID,
        isOut: true,
        durationMs: durationMs / 4,
        ptsTicks: pointTicks + lengthTicks / 2,
      });
      return [announced(out()), { afterTicks: lengthTicks / 4, section: inner }];
    }
    case 'signal':
      return [
        announced(signal(eventId, pointTicks, { segmentationTypeId: OPPORTUNITY_START, durationTicks: lengthTicks })),
        {
          ...end(lengthTicks),
          section: signal(eventId, pointTicks + lengthTicks, { segmentationTypeId: OPPORTUNITY_END }),
        },
      ];
  }
}

function signal(
  eventId: number,
  ptsTicks: number,
  descriptor: Pick<SegmentationDescriptor, 'segmentationTypeId' | 'durationTicks'>,
): Uint8Array {
  return writeSpliceInfo({
    sapType: 3,
    ptsAdjustmentTicks: 0,
    cwIndex: 0,
    tier: 0xfff,
    command: { type: 'time-signal', ptsTicks: wrapTicks(ptsTicks) },
    descriptors: [
      {
        type: 'segmentation',
        eventId,
        isCancel: false,
        hasFreeEventId: true,
        ...descriptor,
        upidType: 0,
        upid: new Uint8Array(0),
        segmentNumber: 1,
        segmentsExpected: 1,
      },
    ],
  });
}
