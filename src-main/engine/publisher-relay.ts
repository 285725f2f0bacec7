import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { MessagePort } from 'node:worker_threads';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { Channel, type Silence } from '../lib/channel/channel.ts';
import { portPipe } from '../lib/channel/message-pipe.ts';

/*
 * Relay of a publisher whose connection and stream are on different media threads: the kernel assigns a connection to
 * any of them, and moving a stream would cut it. Both threads get an end of one message port from the server thread.
 */

/** Number of bytes on their way at which the publisher is disconnected: the other thread does not keep up. */
const CREDIT_BYTES = 32 * 1024 * 1024;
const STALLED: InputEnd = { code: 'input_stalled', ...because('media_thread_late') };
const HOME_GONE: InputEnd = { code: 'media_thread_failed', ...because('media_thread_ended') };
const CONNECTION_GONE: InputEnd = {
  code: 'publish_closed',
  ...because('encoder_thread_ended'),
};

/** Data of a publisher for its stream. */
type Given =
  | { readonly kind: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly kind: 'unit'; readonly unit: AccessUnit }
  | { readonly kind: 'splice'; readonly message: SpliceMessage }
  | { readonly kind: 'problem'; readonly problem: FormatProblem }
  | { readonly kind: 'received'; readonly bytes: number };

/** Messages from the thread of the connection to the thread of the stream. */
interface FromPublisher extends Silence {
  readonly feeds: { readonly publisher: readonly [undefined, Given] };
}

/** Sink of a publisher on the thread of its connection. Borrowed data is copied. */
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
  const give = (given: Given, data?: Uint8Array<ArrayBuffer>): void => {
    if (isOver || feed.write(given, data?.length ?? 0, data && [data.buffer])) return;
    feed.end(STALLED);
    end(STALLED);
  };
  return {
    tracks: (tracks) => {
      give({ kind: 'tracks', tracks });
    },
    accessUnit: (unit) => {
      if (isOver) return;
      const data = Uint8Array.from(unit.data);
      give({ kind: 'unit', unit: { ...unit, data } }, data);
    },
    splice: (message) => {
      give({ kind: 'splice', message });
    },
    problem: (problem) => {
      give({ kind: 'problem', problem });
    },
    received: (bytes) => {
      give({ kind: 'received', bytes });
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
  let kick: ((reason: InputEnd) => void) | undefined;
  let kicked: InputEnd | undefined;
  let isOver = false;
  const sink = open({
    close: (reason) => {
      kicked = reason;
      kick?.(reason);
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
        kick = (reason) => {
          feed.close(reason);
        };
        // The publisher may have been disconnected before its feed came.
        if (kicked) kick(kicked);
        return {
          take: (given) => {
            hand(given, sink);
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

function hand(given: Given, sink: InputSink): void {
  switch (given.kind) {
    case 'tracks':
      sink.tracks(given.tracks);
      return;
    case 'unit':
      sink.accessUnit(given.unit);
      return;
    case 'splice':
      sink.splice(given.message);
      return;
    case 'problem':
      sink.problem(given.problem);
      return;
    case 'received':
      sink.received(given.bytes);
      return;
    default:
      given satisfies never;
  }
}
