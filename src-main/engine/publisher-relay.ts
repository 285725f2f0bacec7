import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { MessagePort } from 'node:worker_threads';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { Channel, type Silence } from '../lib/channel/channel.ts';
import { portPipe } from '../lib/channel/message-pipe.ts';

/*
 * Relay of a publisher whose connection and stream are on different media threads: the kernel assigns a connection to any
 * thread, and a stream cannot move to another thread without a cut. The server thread gives both threads an end of one
 * message channel.
 */

/**
 * Maximum number of bytes in transit. If there are more, the other thread is too slow and the publisher is
 * disconnected.
 */
const CREDIT_BYTES = 32 * 1024 * 1024;
const STALLED: InputEnd = { code: 'input_stalled', ...because('media_thread_late') };
const HOME_GONE: InputEnd = { code: 'media_thread_failed', ...because('media_thread_ended') };
const CONNECTION_GONE: InputEnd = {
  code: 'publish_closed',
  ...because('encoder_thread_ended'),
};

/** Data of a publisher for its stream. */
type PublisherItem =
  | { readonly kind: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly kind: 'unit'; readonly unit: AccessUnit }
  | { readonly kind: 'splice'; readonly message: SpliceMessage }
  | { readonly kind: 'problem'; readonly problem: FormatProblem }
  | { readonly kind: 'received'; readonly bytes: number };

/** Messages from the thread of the connection to the thread of the stream. */
interface FromPublisher extends Silence {
  readonly feeds: { readonly publisher: readonly [undefined, PublisherItem] };
}

/** Sink on the thread of the connection: sends the data of a publisher to the thread of its stream. Copies borrowed data. */
export function relaySink(port: MessagePort, clock: Clock, publisher: { close(reason: InputEnd): void }): InputSink {
  const channel = new Channel<FromPublisher, Silence>(clock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
  let isOver = false;
  const end = (reason: InputEnd): void => {
    if (isOver) return;
    isOver = true;
    publisher.close(reason);
    port.close();
  };
  channel.attach(portPipe(port));
  port.on('close', () => {
    channel.close(HOME_GONE);
  });
  const feed = channel.feed('publisher', undefined, CREDIT_BYTES, { room: () => {}, closed: end });
  const send = (item: PublisherItem, data?: Uint8Array<ArrayBuffer>): void => {
    if (isOver || feed.write(item, data?.length ?? 0, data && [data.buffer])) return;
    feed.end(STALLED);
    end(STALLED);
  };
  return {
    tracks: (tracks) => {
      send({ kind: 'tracks', tracks });
    },
    accessUnit: (unit) => {
      if (isOver) return;
      const data = Uint8Array.from(unit.data);
      send({ kind: 'unit', unit: { ...unit, data } }, data);
    },
    splice: (message) => {
      send({ kind: 'splice', message });
    },
    problem: (problem) => {
      send({ kind: 'problem', problem });
    },
    received: (bytes) => {
      send({ kind: 'received', bytes });
    },
    ended: (reason) => {
      isOver = true;
      feed.end(reason);
      port.close();
    },
  };
}

/**
 * Passes the data of a publisher on another thread to the sink of its stream.
 * @param open creates the sink; `close` disconnects the publisher
 */
export function takeRelay(
  port: MessagePort,
  clock: Clock,
  open: (publisher: { close(reason: InputEnd): void }) => InputSink,
): void {
  let disconnect: ((reason: InputEnd) => void) | undefined;
  let closeReason: InputEnd | undefined;
  let isOver = false;
  const sink = open({
    close: (reason) => {
      closeReason = reason;
      disconnect?.(reason);
    },
  });
  const ended = (reason: InputEnd): void => {
    if (!isOver) sink.ended(reason);
    isOver = true;
  };
  const channel = new Channel<Silence, FromPublisher>(clock, {
    calls: {},
    feeds: {
      publisher: (_, feed) => {
        disconnect = (reason) => {
          feed.close(reason);
        };
        // The publisher may have been closed before its feed arrived.
        if (closeReason) disconnect(closeReason);
        return {
          take: (item) => {
            deliver(item, sink);
          },
          ended,
        };
      },
    },
    subscriptions: {},
    events: {},
  });
  channel.attach(portPipe(port));
  port.on('close', () => {
    channel.close(CONNECTION_GONE);
    ended(CONNECTION_GONE);
  });
}

function deliver(item: PublisherItem, sink: InputSink): void {
  switch (item.kind) {
    case 'tracks':
      sink.tracks(item.tracks);
      return;
    case 'unit':
      sink.accessUnit(item.unit);
      return;
    case 'splice':
      sink.splice(item.message);
      return;
    case 'problem':
      sink.problem(item.problem);
      return;
    case 'received':
      sink.received(item.bytes);
      return;
    default:
      item satisfies never;
  }
}
