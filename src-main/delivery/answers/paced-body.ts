import { addressGroup } from '../../lib/network-address.ts';
import type { WorkTurns } from '../../lib/work-turns.ts';
import type { TakeRoom } from '../../packaging/take-room.ts';
import type { MediaBytes, Piece } from '../../segment/media-bytes.ts';
import type { BodyStream, Exchange, Reply } from '../exchange.ts';
import { errorReply, unreadableReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { answerMemory, MediaBusy, PIECE_BYTES, type AnswerMemory } from './answer-memory.ts';
import { piecesInReads, readNext } from './file-reads.ts';

/** Body of a reply written at the pace of the client, from memory or from files. */
export class PacedBody {
  readonly #exchange: Exchange;
  readonly #output: StreamOutput;
  readonly #open: () => BodyStream;
  #stream: BodyStream | undefined;
  /** Whether the client has disconnected or was disconnected: nothing more is written. */
  isGone = false;
  readonly #memory: AnswerMemory;
  /** Address of the client. */
  readonly #address: string;

  /** @param open starts the reply with the first bytes, so that an unreadable file still gets an error reply */
  constructor(
    exchange: Exchange,
    output: StreamOutput,
    open: () => BodyStream,
    onDisconnect?: () => void,
    memory = answerMemory,
  ) {
    this.#memory = memory;
    this.#exchange = exchange;
    this.#address = addressGroup(exchange.peer);
    this.#output = output;
    this.#open = open;
    exchange.onClose(() => {
      this.isGone = true;
      onDisconnect?.();
    });
  }

  /** Whether any byte was written. */
  get hasStarted(): boolean {
    return this.#stream !== undefined;
  }

  /** Throws `MediaBusy` if no memory is left. Must be called first, because the first bytes of an answer may need no memory. */
  admit(): void {
    this.#memory.takeNow(this.#address, PIECE_BYTES)();
  }

  /**
   * Reserves memory for the media that an answer creates; resolves with its release function. An answer that has started waits for
   * memory until the signal is aborted; an answer that has not started is refused with `MediaBusy` instead.
   */
  async room(bytes: number, signal: AbortSignal): Promise<() => void> {
    return this.hasStarted
      ? this.#memory.take(this.#address, bytes, signal)
      : this.#memory.takeNow(this.#address, bytes);
  }

  /**
   * Resolves when all pieces were sent, or the client has disconnected. Rejects with the error of a file, and with `MediaBusy`.
   */
  async write(pieces: readonly Piece[]): Promise<void> {
    for (const next of piecesInReads(pieces)) {
      const { bytes, done } = await readNext(next);
      let release: (() => void) | undefined;
      try {
        if (this.isGone) return;
        // Counts the buffer of a read; a body that generates its bytes counts their memory itself.
        if ('file' in next && bytes[0]) release = this.#memory.share(this.#address, bytes[0], this.hasStarted);
        await this.#writeAll(bytes);
        if (this.isGone) return;
      } finally {
        done();
        release?.();
      }
    }
  }

  /** Resolves when all bytes were sent; at most one piece waits at a time. */
  async #writeAll(all: readonly Uint8Array[]): Promise<void> {
    let waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    for (const bytes of all)
      for (let at = 0; at < bytes.length && !this.isGone;) {
        const piece = bytes.subarray(at, at + PIECE_BYTES - waitingBytes);
        waiting.push(piece);
        waitingBytes += piece.length;
        at += piece.length;
        if (waitingBytes < PIECE_BYTES) continue;
        await this.#writePiece(waiting);
        waiting = [];
        waitingBytes = 0;
      }
    if (!this.isGone) await this.#writePiece(waiting);
  }

  async #writePiece(all: readonly Uint8Array[]): Promise<void> {
    const stream = (this.#stream ??= this.#open());
    const last = all.length - 1;
    if (last < 0) return;
    await new Promise<void>((resolve) => {
      for (const [index, bytes] of all.entries()) {
        countSent(this.#exchange, this.#output, bytes.length);
        if (index < last) stream.write(bytes);
        else stream.write(bytes, resolve);
      }
    });
  }

  end(): void {
    if (!this.isGone) (this.#stream ?? this.#open()).end();
  }

  /** Closes the connection without finishing the body. */
  abort(): void {
    this.isGone = true;
    this.#stream?.abort();
  }

  /** Handles unreadable media or missing memory: an error reply if nothing was sent yet, otherwise a truncated body. */
  fail(error: unknown): void {
    if (this.#stream) this.#stream.abort();
    else if (!this.isGone) this.#exchange.reply(error instanceof MediaBusy ? busy() : unreadableReply(error));
  }
}

/** Reply when the memory of all answers is used up. */
export function busy(): Reply {
  return errorReply('media_busy', 'Too many viewers are being sent media at the moment');
}

/** Start of a reply whose body is sent at the viewer's pace. */
export interface PacedHead {
  readonly status: number;
  readonly headers: string;
  /** Length of the body; without it the reply ends with its media. */
  readonly bodyBytes?: number;
  /** Turns of addresses for media made on request. */
  readonly turns: WorkTurns;
}

/**
 * Sends generated media at the pace of one viewer: the next piece is generated when the previous one was sent. The
 * reply ends with the stream.
 * @param make generates the media until the signal is aborted, and requests room before it uses memory
 */
export async function sendPaced(
  exchange: Exchange,
  output: StreamOutput,
  { status, headers, bodyBytes, turns }: PacedHead,
  make: (signal: AbortSignal, room: TakeRoom) => AsyncIterable<MediaBytes>,
): Promise<void> {
  if (exchange.method === 'HEAD') {
    exchange.stream(status, headers, bodyBytes).end();
    return;
  }
  const over = new AbortController();
  const body = new PacedBody(
    exchange,
    output,
    () => exchange.stream(status, headers, bodyBytes),
    () => {
      over.abort();
    },
  );
  const ends = [
    output.watch(),
    output.onClose(() => {
      over.abort();
    }),
    // A viewer whose session ends is disconnected without an error.
    exchange.connectionSession.session?.hold(() => {
      body.abort();
      over.abort();
    }),
  ];
  // Generated bodies wait for memory, and for the turn of the client address.
  let endTurn: (() => void) | undefined;
  const room = async (bytes: number): Promise<() => void> => {
    endTurn?.();
    const release = await body.room(bytes, over.signal);
    try {
      endTurn = await turns.take(addressGroup(exchange.peer), over.signal);
    } catch (error) {
      release();
      throw error;
    }
    const end = endTurn;
    return () => {
      end();
      release();
    };
  };
  try {
    body.admit();
    for await (const { pieces } of make(over.signal, room)) {
      endTurn?.();
      await body.write(pieces);
      if (body.isGone || (bodyBytes !== undefined && over.signal.aborted)) break;
    }
    // An incomplete body of known length must not look complete.
    if (bodyBytes !== undefined && over.signal.aborted) body.abort();
    else if (body.hasStarted || body.isGone) body.end();
    else exchange.reply(errorReply('stream_not_running', `${output.name} has nothing to play`));
  } catch (error) {
    body.fail(error);
  } finally {
    endTurn?.();
    for (const end of ends) end?.();
  }
}
