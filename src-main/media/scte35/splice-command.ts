import { bytesOf, FieldReader, low33 } from './field-reader.ts';

/** Duration of a break (SCTE 35, 9.8.2). */
interface BreakDuration {
  /** Whether the splicer returns automatically at the end. */
  readonly isAutoReturn: boolean;
  /** 90 kHz ticks, 33 bits. */
  readonly durationTicks: number;
}

/** Separately spliced elementary stream (component splice mode). */
interface SpliceComponent {
  readonly tag: number;
  /** Absent for an immediate splice, and if no time is stated. */
  readonly ptsTicks?: number;
}

/** splice_insert (SCTE 35, 9.7.3): a break starts or ends. */
export interface SpliceInsert {
  readonly type: 'insert';
  readonly eventId: number;
  /** splice_event_cancel_indicator: the event with this id is cancelled; the other fields mean nothing. */
  readonly isCancel: boolean;
  /** out_of_network_indicator: true if the break starts, false if it ends. */
  readonly isOutOfNetwork: boolean;
  /** splice_immediate_flag: immediately, without a time. */
  readonly isImmediate: boolean;
  /** event_id_compliance_flag: false for ids that follow 9.9.3; true for others and in messages of older editions. */
  readonly hasFreeEventId: boolean;
  /** Splice time, 33 bits; absent for an immediate splice, and if no time is stated. */
  readonly ptsTicks?: number;
  /** Splices of single streams; absent for a splice of the whole programme. */
  readonly components?: readonly SpliceComponent[];
  readonly breakDuration?: BreakDuration;
  readonly uniqueProgramId: number;
  readonly availNumber: number;
  readonly availsExpected: number;
}

/** Command of a splice information section (SCTE 35, 9.7). Unsupported ones are kept as bytes. */
export type SpliceCommand =
  | { readonly type: 'null' }
  | SpliceInsert
  /** time_signal (9.7.4): a time whose meaning is in descriptors. Without `ptsTicks`: immediately. */
  | { readonly type: 'time-signal'; readonly ptsTicks?: number }
  | { readonly type: 'raw'; readonly commandType: number; readonly data: Uint8Array };

const COMMAND = { null: 0x00, insert: 0x05, timeSignal: 0x06 } as const;

const MAX_COMPONENTS = 255;

/** Reads a command from all bytes that may belong to it; returns its size. Undefined if a field does not fit. */
export function readSpliceCommand(
  type: number,
  bytes: Uint8Array,
): { readonly value: SpliceCommand; readonly length: number } | undefined {
  const reader = new FieldReader(bytes);
  const value = readBody(type, reader);
  return reader.isShort ? undefined : { value, length: reader.at };
}

function readBody(type: number, reader: FieldReader): SpliceCommand {
  switch (type) {
    case COMMAND.null:
      return { type: 'null' };
    case COMMAND.insert:
      return readInsert(reader);
    case COMMAND.timeSignal:
      return { type: 'time-signal', ...readTime(reader) };
    default:
      return { type: 'raw', commandType: type, data: reader.bytes(reader.left) };
  }
}

function readInsert(reader: FieldReader): SpliceInsert {
  const eventId = reader.u32();
  const isCancel = (reader.u8() & 0x80) !== 0;
  if (isCancel) return cancelOf(eventId);
  const flags = reader.u8();
  const isProgram = (flags & 0x40) !== 0;
  const isImmediate = (flags & 0x10) !== 0;
  const time = isProgram && !isImmediate ? readTime(reader) : {};
  const components = isProgram ? {} : { components: readComponents(reader, isImmediate) };
  const duration = (flags & 0x20) !== 0 ? { breakDuration: readDuration(reader) } : {};
  return {
    type: 'insert',
    eventId,
    isCancel,
    isOutOfNetwork: (flags & 0x80) !== 0,
    isImmediate,
    hasFreeEventId: (flags & 0x08) !== 0,
    ...time,
    ...components,
    ...duration,
    uniqueProgramId: reader.u16(),
    availNumber: reader.u8(),
    availsExpected: reader.u8(),
  };
}

/** Builds a splice_insert that cancels the event with this id. */
export function cancelOf(eventId: number): SpliceInsert {
  const nothing = {
    isOutOfNetwork: false,
    isImmediate: false,
    hasFreeEventId: false,
    uniqueProgramId: 0,
    availNumber: 0,
    availsExpected: 0,
  };
  return { type: 'insert', eventId, isCancel: true, ...nothing };
}

function readComponents(reader: FieldReader, isImmediate: boolean): SpliceComponent[] {
  const components: SpliceComponent[] = [];
  for (let left = reader.u8(); left > 0 && !reader.isShort; left--) {
    components.push({ tag: reader.u8(), ...(isImmediate ? {} : readTime(reader)) });
  }
  return components;
}

/** Reads splice_time (9.8.1). */
function readTime(reader: FieldReader): { ptsTicks?: number } {
  const first = reader.u8();
  return (first & 0x80) === 0 ? {} : { ptsTicks: (first & 1) * 2 ** 32 + reader.u32() };
}

function readDuration(reader: FieldReader): BreakDuration {
  const value = reader.u40();
  return { isAutoReturn: value >= 2 ** 39, durationTicks: low33(value) };
}

/** Writes a command: its type and its bytes. Reserved bits are 1. */
export function writeSpliceCommand(command: SpliceCommand): {
  readonly type: number;
  readonly data: readonly number[];
} {
  switch (command.type) {
    case 'null':
      return { type: COMMAND.null, data: [] };
    case 'time-signal':
      return { type: COMMAND.timeSignal, data: writeTime(command.ptsTicks) };
    case 'insert':
      return { type: COMMAND.insert, data: writeInsert(command) };
    case 'raw':
      return { type: command.commandType, data: [...command.data] };
  }
}

function writeInsert(insert: SpliceInsert): number[] {
  const id = bytesOf(insert.eventId, 4);
  if (insert.isCancel) return [...id, 0xff];
  const { components, breakDuration, isImmediate } = insert;
  if (components && components.length > MAX_COMPONENTS) throw new RangeError('a splice has at most 255 components');
  const flags =
    (insert.isOutOfNetwork ? 0x80 : 0) |
    (components ? 0 : 0x40) |
    (breakDuration ? 0x20 : 0) |
    (isImmediate ? 0x10 : 0) |
    (insert.hasFreeEventId ? 0x08 : 0);
  const times = components
    ? [
        components.length,
        ...components.flatMap(({ tag, ptsTicks }) => [tag, ...(isImmediate ? [] : writeTime(ptsTicks))]),
      ]
    : isImmediate
      ? []
      : writeTime(insert.ptsTicks);
  const duration = breakDuration
    ? bytesOf((breakDuration.isAutoReturn ? 2 ** 39 : 0) + 0x7e * 2 ** 32 + breakDuration.durationTicks, 5)
    : [];
  return [
    ...id,
    0x7f,
    flags | 0x07,
    ...times,
    ...duration,
    ...bytesOf(insert.uniqueProgramId, 2),
    insert.availNumber,
    insert.availsExpected,
  ];
}

function writeTime(ptsTicks: number | undefined): number[] {
  return ptsTicks === undefined ? [0x7f] : bytesOf(0xfe * 2 ** 32 + ptsTicks, 5);
}
