import type { MessagePort } from 'node:worker_threads';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { Channel, type Silence } from '../lib/channel/channel.ts';
import { portPipe } from '../lib/channel/message-pipe.ts';
import type { Clock } from '../lib/clock.ts';
import type { Track } from '../media/track.ts';
import type { StreamReader, StreamUnit } from '../stream/stream-hub.ts';

/*
 * Relay of a stream to the RTMP players on another media thread. Each thread with players gets the stream once. The server thread
 * gives both threads an end of one message channel.
 */

/** Maximum number of bytes in transit; above it units are dropped until the other thread has caught up. */
const CREDIT_BYTES = 16 * 1024 * 1024;
const GONE = { code: 'media_thread_failed', ...because('media_thread_ended') };

/** Part of a stream for another thread. */
type PlayedItem =
  | { readonly kind: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly kind: 'unit'; readonly unit: Omit<StreamUnit, 'track'>; readonly trackId: string }
  | { readonly kind: 'discontinuity'; readonly isRewind: boolean }
  | { readonly kind: 'idle' };

/** Messages from the thread of the stream to the thread of the players. */
interface FromStream extends Silence {
  readonly feeds: { readonly played: readonly [undefined, PlayedItem] };
}

/** Reader on the thread of the stream. @param gone called when the other end is closed */
export function playRelay(port: MessagePort, clock: Clock, gone: () => void): StreamReader & { close(): void } {
  const channel = new Channel<FromStream, Silence>(clock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
  channel.attach(portPipe(port));
  port.on('close', () => {
    channel.close(GONE);
    gone();
  });
  const feed = channel.feed('played', undefined, CREDIT_BYTES, { room: () => {}, closed: gone });
  let isLossy = false;
  const send = (item: PlayedItem, data?: Uint8Array<ArrayBuffer>): void => {
    if (isLossy && feed.hasRoom) isLossy = !feed.write({ kind: 'discontinuity', isRewind: false }, 0);
    if (!isLossy) isLossy = !feed.write(item, data?.length ?? 0, data && [data.buffer]);
  };
  return {
    tracks: (tracks) => {
      send({ kind: 'tracks', tracks });
    },
    unit: ({ track, ...unit }) => {
      const data = Uint8Array.from(unit.data);
      send({ kind: 'unit', unit: { ...unit, data }, trackId: track.id }, data);
    },
    discontinuity: (isRewind) => {
      send({ kind: 'discontinuity', isRewind });
    },
    splice: () => {},
    idle: () => {
      send({ kind: 'idle' });
    },
    close: () => {
      port.close();
    },
  };
}

/** Passes a stream from another thread to `reader`; returns the function that ends the relay. */
export function takePlayRelay(port: MessagePort, clock: Clock, reader: StreamReader): () => void {
  let tracks = new Map<string, Track>();
  let isOver = false;
  const take = (item: PlayedItem): void => {
    if (isOver) return;
    if (item.kind === 'tracks') {
      tracks = new Map(item.tracks.map((track) => [track.id, track]));
      reader.tracks(item.tracks);
    } else if (item.kind === 'discontinuity') reader.discontinuity(item.isRewind);
    else if (item.kind === 'idle') reader.idle();
    else {
      const track = tracks.get(item.trackId);
      if (track) reader.unit({ ...item.unit, track });
    }
  };
  const channel = new Channel<Silence, FromStream>(clock, {
    calls: {},
    feeds: { played: () => ({ take, ended: () => {} }) },
    subscriptions: {},
    events: {},
  });
  channel.attach(portPipe(port));
  port.on('close', () => {
    channel.close(GONE);
  });
  return () => {
    isOver = true;
    port.close();
  };
}
