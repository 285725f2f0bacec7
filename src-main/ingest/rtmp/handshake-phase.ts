import { randomFillSync } from 'node:crypto';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { HANDSHAKE_BYTES, RTMP_VERSION, writeServerHandshake } from '../../media/containers/rtmp/handshake.ts';

/** Random bytes of all handshakes. They are not secret, so connections share them. */
const random = randomFillSync(new Uint8Array(2 * HANDSHAKE_BYTES));

/** Size of C0 and C1. */
const HELLO_BYTES = 1 + HANDSHAKE_BYTES;

/** Server side of the handshake of one connection. It takes memory only while C1 arrives in pieces. */
export class HandshakePhase {
  readonly #answer: (bytes: Uint8Array) => void;
  readonly #startedAtMs: number;
  #hello: Uint8Array | undefined;
  #received = 0;

  /** @param answer sends S0, S1 and S2 */
  constructor(nowMs: number, answer: (bytes: Uint8Array) => void) {
    this.#answer = answer;
    this.#startedAtMs = nowMs;
  }

  /** Whether C2 has arrived; the chunk stream follows. */
  get isDone(): boolean {
    return this.#received === HELLO_BYTES + HANDSHAKE_BYTES;
  }

  /** Processes bytes; returns how many belong to the handshake, or -1 if the peer does not speak RTMP. */
  push(bytes: Uint8Array, end: number): number {
    let at = 0;
    if (this.#received < HELLO_BYTES) {
      if (this.#received === 0 && bytes[0] !== RTMP_VERSION) return -1;
      at = this.#pushHello(bytes, end);
    }
    // C2 is not checked: simple clients send any bytes.
    const rest = Math.min(end - at, HELLO_BYTES + HANDSHAKE_BYTES - this.#received);
    if (this.#received >= HELLO_BYTES) {
      this.#received += rest;
      at += rest;
    }
    return at;
  }

  #pushHello(bytes: Uint8Array, end: number): number {
    const count = Math.min(end, HELLO_BYTES - this.#received);
    if (count === HELLO_BYTES) {
      this.#received = count;
      this.#greet(bytes.subarray(1, HELLO_BYTES));
      return count;
    }
    this.#hello ??= new Uint8Array(HELLO_BYTES);
    this.#hello.set(bytes.subarray(0, count), this.#received);
    this.#received += count;
    if (this.#received === HELLO_BYTES) {
      this.#greet(this.#hello.subarray(1));
      this.#hello = undefined;
    }
    return count;
  }

  #greet(c1: Uint8Array): void {
    this.#answer(writeServerHandshake(c1, random, this.#startedAtMs % 0x7fffffff));
  }
}

/** Explains to the operator why a connection with these first bytes is not RTMP. */
export function explainUnknownBytes(bytes: Uint8Array): Explained {
  const first = bytes[0] ?? 0;
  const text = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (/^(GET|POST|HEAD|PUT|OPTIONS) /.test(text)) return because('rtmp_got_http');
  if (first === 0x16) return because('rtmp_got_tls');
  if (first === 6 || first === 8) return because('rtmp_got_rtmpe');
  return because('rtmp_got_unknown', { byte: first, version: RTMP_VERSION });
}
