import { readAmf0, writeAmf0 } from './amf0.ts';
import type { AmfValue } from './amf0.ts';
import { MESSAGE_TYPE } from './message.ts';
import type { RtmpMessage } from './message.ts';

/** A command or its answer (RTMP 1.0, section 7.2). */
export interface RtmpCommand {
  /** `connect`, `createStream`, `publish`, `_result`, `onStatus` … */
  readonly name: string;
  /** Number that the answer repeats; 0 if no answer is expected. */
  readonly transactionId: number;
  /** The command object and the arguments after it. */
  readonly args: readonly AmfValue[];
}

/**
 * Reads the payload of a command message; undefined unless it starts with a name. A missing transaction id is read as 0. A message
 * of type 17 (AMF 3) is read too: all known encoders send a zero byte and then values in AMF 0.
 */
export function readCommand(type: number, payload: Uint8Array): RtmpCommand | undefined {
  const { values } = readAmf0(payload, amf0Start(type, payload));
  const [name, transactionId, ...args] = values;
  if (typeof name !== 'string') return undefined;
  return { name, transactionId: typeof transactionId === 'number' ? transactionId : 0, args };
}

/** The command as a message of type 20 (AMF 0). */
export function writeCommand(command: RtmpCommand, streamId = 0): RtmpMessage {
  const payload = writeAmf0([command.name, command.transactionId, ...command.args]);
  return { type: MESSAGE_TYPE.commandAmf0, streamId, timestampMs: 0, payload };
}

/** Reads the values of a data message (type 18, or 15 with values in AMF 0), such as `@setDataFrame`, `onMetaData`. */
export function readDataMessage(type: number, payload: Uint8Array): readonly AmfValue[] {
  return readAmf0(payload, amf0Start(type, payload)).values;
}

/** Messages declared as AMF 3 have one byte before their values in AMF 0. */
function amf0Start(type: number, payload: Uint8Array): number {
  const isAmf3 = type === MESSAGE_TYPE.commandAmf3 || type === MESSAGE_TYPE.dataAmf3;
  return isAmf3 && payload[0] === 0 ? 1 : 0;
}
