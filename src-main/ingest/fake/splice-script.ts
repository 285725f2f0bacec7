import { wrapTicks } from '../../media/containers/mpegts/packet.ts';
import { makeCancelSection, makeSpliceSection } from '../../media/scte35/made-splice.ts';
import type { SegmentationDescriptor } from '../../media/scte35/segmentation-descriptor.ts';
import { writeSpliceInfo } from '../../media/scte35/splice-info.ts';

/** The kinds of marks that a test picture makes: what encoders and automation send, and what they forget. */
export const SPLICE_KINDS = [
  /** A break of a length that returns by itself. */
  'return',
  /** The same, not announced: it begins with the message. */
  'immediate',
  /** A length, and a point that ends the break. */
  'end',
  /** The point that ends it comes at half of the announced length. */
  'early',
  /** Without a length, up to the point that ends it. */
  'open',
  /** It has to be ended, and is not. */
  'missing',
  /** Announced, and taken back before it begins. */
  'cancel',
  /** Announced again each second. */
  'repeat',
  /** Another break begins and ends inside it. */
  'nested',
  /** `time_signal` with segmentation descriptors of a provider's placement opportunity. */
  'signal',
] as const;

/** One of them. */
export type SpliceKind = (typeof SPLICE_KINDS)[number];

/** A section, and when it is sent: ticks after the splice point, below 0 before it. */
export interface ScriptedSection {
  readonly afterTicks: number;
  readonly section: Uint8Array;
}

/** A break of a test picture. Times in 90 kHz ticks of the input. */
export interface ScriptedBreak {
  readonly kind: SpliceKind;
  readonly eventId: number;
  readonly pointTicks: number;
  readonly lengthTicks: number;
  /** It is announced so long before. */
  readonly noticeTicks: number;
}

const TICKS_PER_MS = 90;
const TICKS_PER_SECOND = 90_000;
/** Events inside of others have ids of their own. */
const INNER_ID = 0x4000_0000;
/** segmentation_type_id (SCTE 35, table 23). */
const [OPPORTUNITY_START, OPPORTUNITY_END] = [0x34, 0x35];

/** What is sent for a break, in the order of its times. */
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
    // Said a little before, as what comes at the very point would be late.
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
  what: Pick<SegmentationDescriptor, 'segmentationTypeId' | 'durationTicks'>,
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
        ...what,
        upidType: 0,
        upid: new Uint8Array(0),
        segmentNumber: 1,
        segmentsExpected: 1,
      },
    ],
  });
}
