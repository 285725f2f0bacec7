import { bytesOf, low33, type FieldReader } from './field-reader.ts';

/** Delivery restrictions of a segment (SCTE 35, 10.3.3). */
interface DeliveryRestrictions {
  readonly isWebDeliveryAllowed: boolean;
  readonly hasNoRegionalBlackout: boolean;
  readonly isArchiveAllowed: boolean;
  /** device_restrictions: 0 to 2 for a group of devices, 3 for none. */
  readonly deviceRestrictions: number;
}

/** segmentation_descriptor (SCTE 35, 10.3.3): event that starts or ends at the time of the section. */
export interface SegmentationDescriptor {
  readonly type: 'segmentation';
  readonly eventId: number;
  /** segmentation_event_cancel_indicator: the event is cancelled; the other fields mean nothing. */
  readonly isCancel: boolean;
  /** segmentation_event_id_compliance_indicator: false for ids that follow 9.9.3; true for others and in older editions. */
  readonly hasFreeEventId: boolean;
  /** Absent without restrictions. */
  readonly restrictions?: DeliveryRestrictions;
  /** Absent for the whole programme. */
  readonly components?: readonly { readonly tag: number; readonly ptsOffsetTicks: number }[];
  /** 90 kHz ticks, 40 bits. */
  readonly durationTicks?: number;
  /** segmentation_upid_type (table 22), such as 0x08 for an airing identifier (TI) or 0x0F for a URI. */
  readonly upidType: number;
  /** segmentation_upid as received. */
  readonly upid: Uint8Array;
  /** segmentation_type_id (table 23), such as 0x30 for the start of a provider advertisement. */
  readonly segmentationTypeId: number;
  readonly segmentNumber: number;
  readonly segmentsExpected: number;
  /** Absent if the sender leaves them out. */
  readonly subSegments?: { readonly number: number; readonly expected: number };
}

/** Reads the descriptor after its identifier; undefined if a field does not fit or bytes are left. */
export function readSegmentation(reader: FieldReader): SegmentationDescriptor | undefined {
  const eventId = reader.u32();
  const first = reader.u8();
  const isCancel = (first & 0x80) !== 0;
  const head = { type: 'segmentation', eventId, isCancel, hasFreeEventId: (first & 0x40) !== 0 } as const;
  if (isCancel) {
    const value = {
      ...head,
      upidType: 0,
      upid: new Uint8Array(0),
      segmentationTypeId: 0,
      segmentNumber: 0,
      segmentsExpected: 0,
    };
    return reader.isShort || reader.left > 0 ? undefined : value;
  }
  const flags = reader.u8();
  const components = (flags & 0x80) === 0 ? { components: readComponents(reader) } : {};
  const duration = (flags & 0x40) !== 0 ? { durationTicks: reader.u40() } : {};
  const value: SegmentationDescriptor = {
    ...head,
    ...((flags & 0x20) === 0 ? { restrictions: readRestrictions(flags) } : {}),
    ...components,
    ...duration,
    upidType: reader.u8(),
    upid: reader.bytes(reader.u8()),
    segmentationTypeId: reader.u8(),
    segmentNumber: reader.u8(),
    segmentsExpected: reader.u8(),
    ...(reader.left >= 2 ? { subSegments: { number: reader.u8(), expected: reader.u8() } } : {}),
  };
  return reader.isShort || reader.left > 0 ? undefined : value;
}

function readRestrictions(flags: number): DeliveryRestrictions {
  return {
    isWebDeliveryAllowed: (flags & 0x10) !== 0,
    hasNoRegionalBlackout: (flags & 0x08) !== 0,
    isArchiveAllowed: (flags & 0x04) !== 0,
    deviceRestrictions: flags & 0x03,
  };
}

function readComponents(reader: FieldReader): { tag: number; ptsOffsetTicks: number }[] {
  const components: { tag: number; ptsOffsetTicks: number }[] = [];
  for (let left = reader.u8(); left > 0 && !reader.isShort; left--) {
    components.push({ tag: reader.u8(), ptsOffsetTicks: low33(reader.u40()) });
  }
  return components;
}

/** Writes the descriptor after its identifier. Reserved bits are 1. */
export function writeSegmentation(value: SegmentationDescriptor): number[] {
  const head = [...bytesOf(value.eventId, 4), (value.isCancel ? 0x80 : 0) | (value.hasFreeEventId ? 0x40 : 0) | 0x3f];
  if (value.isCancel) return head;
  const { restrictions, components, durationTicks, subSegments } = value;
  const flags =
    (components ? 0 : 0x80) |
    (durationTicks === undefined ? 0 : 0x40) |
    (restrictions ? writeRestrictions(restrictions) : 0x3f);
  return [
    ...head,
    flags,
    ...(components
      ? [
          components.length,
          ...components.flatMap((one) => [one.tag, ...bytesOf(0xfe * 2 ** 32 + one.ptsOffsetTicks, 5)]),
        ]
      : []),
    ...(durationTicks === undefined ? [] : bytesOf(durationTicks, 5)),
    value.upidType,
    value.upid.length,
    ...value.upid,
    value.segmentationTypeId,
    value.segmentNumber,
    value.segmentsExpected,
    ...(subSegments ? [subSegments.number, subSegments.expected] : []),
  ];
}

function writeRestrictions(value: DeliveryRestrictions): number {
  return (
    (value.isWebDeliveryAllowed ? 0x10 : 0) |
    (value.hasNoRegionalBlackout ? 0x08 : 0) |
    (value.isArchiveAllowed ? 0x04 : 0) |
    (value.deviceRestrictions & 0x03)
  );
}
