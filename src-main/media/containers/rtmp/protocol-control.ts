import { MESSAGE_TYPE } from './message.ts';
import type { RtmpMessage } from './message.ts';

/** Event types of user control messages (RTMP 1.0, section 7.1.7). */
export const USER_CONTROL = {
  streamBegin: 0,
  streamEof: 1,
  setBufferLength: 3,
  pingRequest: 6,
  pingResponse: 7,
} as const;

/** A user control message: an event and its 32-bit parameter. */
export interface UserControl {
  readonly event: number;
  /** Message stream id, or the time in milliseconds of a ping. */
  readonly value: number;
}

/** Set Chunk Size (RTMP 1.0, section 5.4.1). */
export function writeSetChunkSize(chunkBytes: number): RtmpMessage {
  return control(MESSAGE_TYPE.setChunkSize, chunkBytes);
}

/** Abort of the incomplete message on a chunk stream (RTMP 1.0, section 5.4.2). */
export function writeAbort(chunkStreamId: number): RtmpMessage {
  return control(MESSAGE_TYPE.abort, chunkStreamId);
}

/** Acknowledgement of all bytes so far, modulo 2^32 (RTMP 1.0, section 5.4.3). */
export function writeAcknowledgement(receivedBytes: number): RtmpMessage {
  return control(MESSAGE_TYPE.acknowledgement, receivedBytes >>> 0);
}

/** Window Acknowledgement Size (RTMP 1.0, section 5.4.4). */
export function writeWindowAcknowledgementSize(windowBytes: number): RtmpMessage {
  return control(MESSAGE_TYPE.windowAcknowledgementSize, windowBytes);
}

/** Set Peer Bandwidth with limit type 2, dynamic (RTMP 1.0, section 5.4.5). */
export function writeSetPeerBandwidth(windowBytes: number): RtmpMessage {
  const payload = Buffer.alloc(5);
  payload.writeUInt32BE(windowBytes, 0);
  payload.writeUInt8(2, 4);
  return { type: MESSAGE_TYPE.setPeerBandwidth, streamId: 0, timestampMs: 0, payload };
}

/** The number in a protocol control message; undefined if it is too short. */
export function readControlValue(payload: Uint8Array): number | undefined {
  if (payload.length < 4) return undefined;
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0);
}

/** The message of an event (RTMP 1.0, section 7.1.7). */
export function writeUserControl(control: UserControl): RtmpMessage {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(control.event, 0);
  payload.writeUInt32BE(control.value, 2);
  return { type: MESSAGE_TYPE.userControl, streamId: 0, timestampMs: 0, payload };
}

/** The event of a message; undefined if it is too short. */
export function readUserControl(payload: Uint8Array): UserControl | undefined {
  if (payload.length < 6) return undefined;
  const view = new DataView(payload.buffer, payload.byteOffset);
  return { event: view.getUint16(0), value: view.getUint32(2) };
}

function control(type: number, value: number): RtmpMessage {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value, 0);
  return { type, streamId: 0, timestampMs: 0, payload };
}
