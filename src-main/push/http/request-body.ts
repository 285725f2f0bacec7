import type { ClientRequest } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import type { PushBacklog } from '../target/push-target.ts';

/** Size of the pieces in which bytes are handed to the system, so that the progress of a slow server is seen. */
const PIECE_BYTES = 64 * 1024;

/** Part of a request that its body needs. */
type Writable = Pick<ClientRequest, 'write' | 'end'>;

/** Body of a request, whose bytes wait until the system takes them. */
export class RequestBody {
  /** Bytes that the system has taken. */
  sentBytes = 0;
  readonly #request: Writable;
  readonly #clock: Pick<Clock, 'now'>;
  /** Pieces with their arrivals in epoch milliseconds; the first ones are being written. */
  readonly #waiting: { readonly bytes: Uint8Array; readonly arrivedMs: number }[] = [];
  #waitingBytes = 0;
  #writing = 0;
  #newestMs = 0;
  #isEnded = false;
  #progressMs: number;

  constructor(request: Writable, clock: Pick<Clock, 'now'>) {
    this.#request = request;
    this.#clock = clock;
    this.#progressMs = clock.now();
  }

  get backlog(): PushBacklog {
    const [oldest] = this.#waiting;
    return {
      bytes: this.#waitingBytes,
      lagMs: oldest ? this.#newestMs - oldest.arrivedMs : 0,
      progressMs: this.#progressMs,
    };
  }

  /** Adds bytes. They must stay valid. @param arrivedMs arrival of their media in epoch milliseconds */
  add(bytes: Uint8Array, arrivedMs: number): void {
    // Nothing waits, so the time before does not count.
    if (this.#waitingBytes === 0) this.#progressMs = this.#clock.now();
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      this.#waiting.push({ bytes: bytes.subarray(at, at + PIECE_BYTES), arrivedMs });
    this.#waitingBytes += bytes.length;
    this.#newestMs = arrivedMs;
    this.#next();
  }

  /** Ends the request after the bytes so far. */
  end(): void {
    this.#isEnded = true;
    this.#next();
  }

  #next(): void {
    if (this.#writing > 0) return;
    if (this.#waiting.length === 0) {
      if (this.#isEnded) this.#request.end();
      return;
    }
    let size = 0;
    while (size < PIECE_BYTES && this.#writing < this.#waiting.length)
      size += this.#waiting[this.#writing++]?.bytes.length ?? 0;
    // Writes of one turn need one system call.
    for (const [index, { bytes }] of this.#waiting.slice(0, this.#writing).entries())
      if (index < this.#writing - 1) this.#request.write(bytes);
      else
        this.#request.write(bytes, (error) => {
          if (!error) this.#finishWriting(size);
        });
  }

  #finishWriting(bytes: number): void {
    this.sentBytes += bytes;
    this.#progressMs = this.#clock.now();
    this.#waitingBytes -= bytes;
    this.#waiting.splice(0, this.#writing);
    this.#writing = 0;
    this.#next();
  }
}
