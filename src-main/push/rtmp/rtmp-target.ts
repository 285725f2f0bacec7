import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import { withStreamId } from '../../media/containers/rtmp/shared-message.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { PushBacklog, PushFault, PushTarget, PushTargetPort } from '../target/push-target.ts';
import type { FlvFeed, FlvPlaces } from './flv-feed.ts';
import { PublishSession, type ConnectAnswer } from './publish-session.ts';
import type { RtmpAddress } from './rtmp-address.ts';
import { connectRtmp } from './rtmp-socket.ts';

export interface RtmpTargetOptions {
  readonly address: RtmpAddress;
  readonly feed: FlvFeed;
  /** Rules of outgoing connections. */
  readonly hosts: OutgoingHosts;
  readonly clock: Pick<Clock, 'now'>;
}

/** Time for the far side to close its half of an ended connection, in milliseconds. */
const LINGER_MS = 2000;

/** Connection of a push to an RTMP server: TCP or TLS, and the session of a publisher. */
export class RtmpTarget implements PushTarget {
  sentBytes = 0;
  readonly #options: RtmpTargetOptions;
  readonly #port: PushTargetPort;
  readonly #socket: Socket;
  readonly #session: PublishSession;
  #streamId = 1;
  #answer: ConnectAnswer = new Map();
  #places: FlvPlaces = new Map();
  #isOver = false;
  /** Whether writes are held back until the end of the turn. */
  #isGathering = false;
  /** Arrival of the newest unit, and of the newest unit that the system has taken, in epoch milliseconds. */
  #newestMs = 0;
  #takenMs = 0;
  #progressMs: number;

  constructor(options: RtmpTargetOptions, port: PushTargetPort) {
    this.#options = options;
    this.#port = port;
    this.#progressMs = options.clock.now();
    this.#session = new PublishSession(options.address, {
      write: (bytes) => {
        this.#write(bytes, options.clock.now());
      },
      accepted: (streamId, answer) => {
        this.#streamId = streamId;
        this.#answer = answer;
        this.#port.accepted();
      },
      failed: (fault) => {
        this.#fail(fault);
      },
    });
    this.#socket = this.#connect();
  }

  get acknowledgedBytes(): number | null {
    return this.#session.acknowledgedBytes;
  }

  get backlog(): PushBacklog {
    const bytes = this.#socket.writableLength;
    return { bytes, lagMs: bytes > 0 ? this.#newestMs - this.#takenMs : 0, progressMs: this.#progressMs };
  }

  tracks(tracks: readonly Track[]): ReadonlySet<string> {
    const { clock, feed } = this.#options;
    const { places, headers } = feed.announce(tracks, this.#answer);
    this.#places = places;
    for (const message of headers) this.#write(withStreamId(message, this.#streamId), clock.now());
    return new Set(places.keys());
  }

  unit(unit: StreamUnit): void {
    const place = this.#places.get(unit.track.id);
    const message = place && this.#options.feed.message(place);
    if (message) this.#write(withStreamId(message, this.#streamId), unit.arrivedMs);
  }

  close(): void {
    if (this.#isOver) return;
    this.#session.end();
    this.#isOver = true;
    // The far side may not read any more.
    this.#socket.setTimeout(LINGER_MS, () => this.#socket.destroy());
    this.#socket.end();
    this.#socket.resume();
  }

  #connect(): Socket {
    const { address, hosts } = this.#options;
    return connectRtmp(address, hosts, {
      connected: () => {
        this.#session.start(randomBytes(1528));
      },
      data: (bytes) => {
        if (!this.#isOver) this.#session.push(bytes);
      },
      failed: (fault) => {
        this.#fail(fault);
      },
    });
  }

  #write(bytes: Uint8Array, arrivedMs: number): void {
    if (this.#isOver) return;
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        this.#socket.uncork();
      });
    }
    if (this.#socket.writableLength === 0) {
      // Nothing waits, so the time before this write does not count.
      this.#takenMs = arrivedMs;
      this.#progressMs = this.#options.clock.now();
    }
    this.sentBytes += bytes.length;
    this.#newestMs = arrivedMs;
    this.#socket.write(bytes, () => {
      this.#takenMs = arrivedMs;
      this.#progressMs = this.#options.clock.now();
    });
  }

  #fail(fault: PushFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#session.end();
    this.#socket.destroy();
    this.#port.failed(fault);
  }
}
