import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import { withStreamId } from '../../media/containers/rtmp/shared-message.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { PushBacklog, PushFault, PushTarget, PushTargetPort } from '../target/push-target.ts';
import type { FlvFeed, FlvPlaces } from './flv-feed.ts';
import { PublishLogin } from './publish-login.ts';
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

/** Maximum number of messages that wait for a picture: less than 0.1 s of audio. */
const MAX_HELD = 3;

/**
 * Connection of a push to an RTMP server: TCP or TLS, and the session of a publisher. A login takes several connections in
 * sequence.
 */
export class RtmpTarget implements PushTarget {
  readonly catchesUp = true;
  sentBytes = 0;
  readonly #options: RtmpTargetOptions;
  readonly #port: PushTargetPort;
  readonly #login: PublishLogin;
  #socket: Socket;
  #session: PublishSession;
  #streamId = 1;
  #answer: ConnectAnswer = new Map();
  #places: FlvPlaces = new Map();
  /** Messages that are written with the next ones, and the arrival of the newest in epoch milliseconds. */
  readonly #held: Buffer[] = [];
  #heldMs = 0;
  #isOver = false;
  /** Units that the system has not taken: `sentBytes` at their ends, and their arrivals in epoch milliseconds. */
  readonly #waiting: { readonly endBytes: number; readonly arrivedMs: number }[] = [];
  /** Arrival of the newest unit in epoch milliseconds. */
  #newestMs = 0;
  #progressMs: number;

  constructor(options: RtmpTargetOptions, port: PushTargetPort) {
    this.#options = options;
    this.#port = port;
    this.#progressMs = options.clock.now();
    const { app, login } = options.address;
    this.#login = new PublishLogin(login, app, () => randomBytes(4).toString('hex'));
    this.#session = this.#newSession();
    this.#socket = this.#connect(this.#session);
  }

  get acknowledgedBytes(): number | null {
    return this.#session.acknowledgedBytes;
  }

  get backlog(): PushBacklog {
    const bytes = this.#socket.writableLength;
    const taken = this.sentBytes - bytes;
    const waiting = this.#waiting;
    let index = 0;
    while (index < waiting.length && (waiting[index]?.endBytes ?? 0) <= taken) index += 1;
    if (index > 0) {
      waiting.splice(0, index);
      this.#progressMs = this.#options.clock.now();
    }
    const [oldest] = waiting;
    return { bytes, lagMs: oldest ? this.#newestMs - oldest.arrivedMs : 0, progressMs: this.#progressMs };
  }

  tracks(tracks: readonly Track[], first?: StreamUnit): ReadonlySet<string> {
    const { clock, feed } = this.#options;
    this.flush();
    const { places, headers } = feed.announce(tracks, this.#answer, first);
    this.#places = places;
    for (const message of headers) this.#write(withStreamId(message, this.#streamId), clock.now());
    return new Set(places.keys());
  }

  unit(unit: StreamUnit): void {
    const place = this.#places.get(unit.track.id);
    const { feed } = this.#options;
    const message = place && feed.message(unit, place);
    if (!message) return;
    this.#held.push(withStreamId(message, this.#streamId));
    this.#heldMs = unit.arrivedMs;
    if (feed.isDue(unit) || this.#held.length >= MAX_HELD) this.flush();
  }

  flush(): void {
    if (this.#held.length === 0) return;
    this.#write(this.#options.feed.join(this.#held), this.#heldMs);
    this.#held.length = 0;
  }

  close(): void {
    if (this.#isOver) return;
    this.flush();
    this.#session.end();
    this.#isOver = true;
    // The far side may not read any more.
    this.#socket.setTimeout(LINGER_MS, () => this.#socket.destroy());
    this.#socket.end();
    this.#socket.resume();
  }

  #newSession(): PublishSession {
    const { address, clock } = this.#options;
    return new PublishSession(address, this.#login, {
      write: (bytes) => {
        this.#write(bytes, clock.now());
      },
      accepted: (streamId, answer) => {
        this.#streamId = streamId;
        this.#answer = answer;
        this.#port.accepted();
      },
      again: () => {
        this.#connectAgain();
      },
      failed: (fault) => {
        this.#fail(fault);
      },
    });
  }

  #connect(session: PublishSession): Socket {
    const { address, hosts } = this.#options;
    const isCurrent = (): boolean => !this.#isOver && session === this.#session;
    return connectRtmp(address, hosts, {
      connected: () => {
        if (isCurrent()) session.start(randomBytes(1528));
      },
      data: (bytes) => {
        if (isCurrent()) session.push(bytes);
      },
      failed: (fault) => {
        if (isCurrent()) this.#fail(fault);
      },
    });
  }

  /** Continues the login on a new connection. */
  #connectAgain(): void {
    const before = this.#socket;
    this.#session = this.#newSession();
    this.#waiting.length = 0;
    this.#socket = this.#connect(this.#session);
    before.destroy();
  }

  #write(bytes: Uint8Array, arrivedMs: number): void {
    if (this.#isOver) return;
    // Nothing waits, so the time before this write does not count.
    if (this.#waiting.length === 0) this.#progressMs = this.#options.clock.now();
    this.sentBytes += bytes.length;
    this.#newestMs = arrivedMs;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > 0) this.#waiting.push({ endBytes: this.sentBytes, arrivedMs });
  }

  #fail(fault: PushFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#session.end();
    this.#socket.destroy();
    this.#port.failed(fault);
  }
}
