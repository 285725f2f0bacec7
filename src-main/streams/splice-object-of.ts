import type { SpliceObject } from '../../src-preload/contract/api/splice-object.ts';
import { segmentationTypeName, upidText, upidTypeName } from '../media/scte35/segmentation-names.ts';
import { readSpliceInfo, spliceTimeTicks, type SpliceInfo } from '../media/scte35/splice-info.ts';
import type { WindowSplice } from '../segment/segment-window.ts';

const TICKS_PER_MS = 90;
const COMMANDS = { null: 'splice_null', insert: 'splice_insert', 'time-signal': 'time_signal', raw: 'other' } as const;

/** A splice point for APIs and events, with its section decoded. */
export function spliceObjectOf({ atMs, kind, eventId, durationMs, section }: WindowSplice): SpliceObject {
  const info = readSpliceInfo(Buffer.from(section, 'base64'));
  const insert = info?.command.type === 'insert' ? info.command : undefined;
  return {
    at: atMs,
    kind,
    command: info && !info.encrypted ? COMMANDS[info.command.type] : 'other',
    event_id: eventId,
    duration: durationMs,
    auto_return: insert?.breakDuration?.isAutoReturn ?? null,
    pts: (info && spliceTimeTicks(info)) ?? null,
    segmentation: info ? segmentationsOf(info) : [],
    section,
  };
}

function segmentationsOf({ descriptors }: SpliceInfo): SpliceObject['segmentation'] {
  return descriptors.flatMap((descriptor) => {
    if (descriptor.type !== 'segmentation') return [];
    const { durationTicks, upidType, upid, segmentationTypeId } = descriptor;
    return [
      {
        event_id: descriptor.eventId,
        is_cancelled: descriptor.isCancel,
        type_id: segmentationTypeId,
        type: segmentationTypeName(segmentationTypeId),
        duration: durationTicks === undefined ? null : Math.round(durationTicks / TICKS_PER_MS),
        upid_type_id: upidType,
        upid_type: upidTypeName(upidType),
        upid: upidText(upidType, upid),
        segment_number: descriptor.segmentNumber,
        segments_expected: descriptor.segmentsExpected,
      },
    ];
  });
}
