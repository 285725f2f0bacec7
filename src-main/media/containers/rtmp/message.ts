import type { FormatProblem } from '../../access-unit.ts';

/** RTMP message type ids (RTMP 1.0, sections 5.4, 6.2 and 7.1). */
export const MESSAGE_TYPE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  dataAmf0: 18,
  commandAmf0: 20,
  aggregate: 22,
} as const;

/** Chunk streams of the server's own messages (RTMP 1.0, sections 5.4 and 7.1.1). */
export const CHUNK_STREAM = { control: 2, command: 3, stream: 5 } as const;

/** One RTMP message (RTMP 1.0, section 6.1). */
export interface RtmpMessage {
  /** Message type id, see `MESSAGE_TYPE`. */
  readonly type: number;
  /** Message stream id: 0 for the connection, the number returned by `createStream` for a stream. */
  readonly streamId: number;
  /** Timestamp in milliseconds, 32 bits, wraps. */
  readonly timestampMs: number;
  readonly payload: Uint8Array;
}

/** Receives the messages of a chunk stream. Calls are synchronous and in the order of the bytes. */
export interface RtmpMessageSink {
  /** Complete message. `payload` is borrowed: it is valid until the call returns. */
  message(type: number, streamId: number, timestampMs: number, payload: Uint8Array): void;
  /** The chunk stream is damaged; the next message cannot be found, so this is the last call. */
  problem(problem: FormatProblem): void;
}
