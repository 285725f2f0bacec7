import type { MessagePort } from 'node:worker_threads';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';

/**
 * The way of a publisher whose connection lies on one media thread and whose stream lives on another: the kernel gives a
 * connection to any of them, and a stream that moved would be cut. Both ends get one, from the server thread.
 */
export interface PublisherRelay {
  readonly port: MessagePort;
  /** An `Int32Array` of one: bytes on their way. */
  readonly underWay: SharedArrayBuffer;
}

/** Bytes on their way at which the publisher is given up: the other thread does not keep up. */
const MAX_UNDER_WAY_BYTES = 32 * 1024 * 1024;

/** What the end with the connection says. */
type FromPublisher =
  | { readonly kind: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly kind: 'unit'; readonly unit: AccessUnit }
  | { readonly kind: 'splice'; readonly message: SpliceMessage }
  | { readonly kind: 'problem'; readonly problem: FormatProblem }
  | { readonly kind: 'received'; readonly bytes: number }
  | { readonly kind: 'ended'; readonly end: InputEnd };

/** The sink of a publisher on the thread of its connection. What is borrowed is copied. */
export function relaySink({ port, underWay }: PublisherRelay, publisher: { close(reason: InputEnd): void }): InputSink {
  const bytesUnderWay = new Int32Array(underWay);
  let isOver = false;
  const post = (message: FromPublisher): void => {
    if (!isOver) port.postMessage([message]);
  };
  const end = (reason: InputEnd): void => {
    if (isOver) return;
    isOver = true;
    publisher.close(reason);
    port.close();
  };
  // All that comes back is why the publisher is disconnected.
  port.on('message', end);
  port.on('close', () => {
    end({ code: 'media_thread_failed', detail: 'The media thread of the stream ended.' });
  });
  return {
    tracks: (tracks) => {
      post({ kind: 'tracks', tracks });
    },
    accessUnit: (unit) => {
      if (isOver) return;
      if (Atomics.add(bytesUnderWay, 0, unit.data.length) + unit.data.length > MAX_UNDER_WAY_BYTES) {
        port.postMessage([
          {
            kind: 'ended',
            end: { code: 'input_stalled', detail: 'The media thread of the stream does not keep up.' },
          } satisfies FromPublisher,
        ]);
        end({ code: 'input_stalled', detail: 'The media thread of the stream does not keep up.' });
        return;
      }
      post({ kind: 'unit', unit: { ...unit, data: Uint8Array.from(unit.data) } });
    },
    splice: (message) => {
      post({ kind: 'splice', message });
    },
    problem: (problem) => {
      post({ kind: 'problem', problem });
    },
    received: (bytes) => {
      post({ kind: 'received', bytes });
    },
    ended: (reason) => {
      post({ kind: 'ended', end: reason });
      isOver = true;
      port.close();
    },
  };
}

/** Hands what a publisher of another thread gives to the sink of its stream. */
export function takeRelay({ port, underWay }: PublisherRelay, sink: InputSink): void {
  const bytesUnderWay = new Int32Array(underWay);
  let isOver = false;
  // The other end of the port says nothing else.
  port.on('message', ([message]: readonly [FromPublisher]) => {
    switch (message.kind) {
      case 'tracks':
        sink.tracks(message.tracks);
        return;
      case 'unit':
        Atomics.sub(bytesUnderWay, 0, message.unit.data.length);
        sink.accessUnit(message.unit);
        return;
      case 'splice':
        sink.splice(message.message);
        return;
      case 'problem':
        sink.problem(message.problem);
        return;
      case 'received':
        sink.received(message.bytes);
        return;
      case 'ended':
        isOver = true;
        sink.ended(message.end);
        return;
      default:
        message satisfies never;
    }
  });
  port.on('close', () => {
    if (!isOver)
      sink.ended({ code: 'publish_closed', detail: 'The media thread that held the connection of the encoder ended.' });
  });
}
