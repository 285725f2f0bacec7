import type { TakeRoom } from '../../packaging/take-room.ts';
import type { MediaBytes, Piece } from '../../segment/media-bytes.ts';
import type { BodyStream, Exchange, Reply } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { answerMemory, MediaBusy, PIECE_BYTES, type AnswerMemory } from './answer-memory.ts';
import { piecesInReads, readNext } from './file-reads.ts';

/** The body of a reply that is written as fast as the other side takes it, from memory or from files. */
export class PacedBody {
  readonly #exchange: Exchange;
  readonly #output: StreamOutput;
  readonly #open: () => BodyStream;
  #stream: BodyStream | undefined;
  /** Whether the other side has gone, or was sent away: nothing more is written. */
  isGone = false;
  readonly #memory: AnswerMemory;

  /** @param open begins the reply, once there is something to write: a file that cannot be read at all is said so, and not in the middle of a body */
  constructor(
    exchange: Exchange,
    output: StreamOutput,
    open: () => BodyStream,
    onGone?: () => void,
    memory = answerMemory,
  ) {
    this.#memory = memory;
    this.#exchange = exchange;
    this.#output = output;
    this.#open = open;
    exchange.onClose(() => {
      this.isGone = true;
      onGone?.();
    });
  }

  /** Whether something was written. */
  get hasBegun(): boolean {
    return this.#stream !== undefined;
  }

  /** Raises `MediaBusy` where no memory is left: what an answer begins with may need none. */
  admit(): void {
    this.#memory.takeNow(PIECE_BYTES)();
  }

  /**
   * Waits for memory for what an answer makes.
   *
   * @param signal ends the wait
   * @throws {MediaBusy} for an answer that has not begun, where there is none
   */
  async room(bytes: number, signal: AbortSignal): Promise<() => void> {
    return this.hasBegun ? this.#memory.take(bytes, signal) : this.#memory.takeNow(bytes);
  }

  /** Comes back when all of it has left, or the other side has gone. Raises what keeps a file from being read, and `MediaBusy`. */
  async write(pieces: readonly Piece[]): Promise<void> {
    for (const next of piecesInReads(pieces)) {
      const { bytes, done } = await readNext(next);
      let giveBack: (() => void) | undefined;
      try {
        if (this.isGone) return;
        // Of a read one buffer holds all; memory of the maker is counted by it.
        if ('file' in next && bytes[0]) giveBack = this.#memory.share(bytes[0], this.hasBegun);
        await this.#writeAll(bytes);
        if (this.isGone) return;
      } finally {
        done();
        giveBack?.();
      }
    }
  }

  /** Comes back when all of these have left; no more than a piece waits at once. */
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

  /** Breaks the connection off without a word. */
  abort(): void {
    this.isGone = true;
    this.#stream?.abort();
  }

  /** Media cannot be read, or there is no memory for it: an error where nothing was sent yet, and otherwise a body without its end. */
  fail(error: unknown): void {
    if (this.#stream) this.#stream.abort();
    else if (!this.isGone) this.#exchange.reply(error instanceof MediaBusy ? busy() : unreadable());
  }
}

/** The reply where the memory of all answers is used up. */
export function busy(): Reply {
  return errorReply('media_busy', 'Too many viewers are being sent media at the moment');
}

/** The reply where the file with the media that is asked for cannot be read. */
export function unreadable(): Reply {
  return errorReply('media_unreadable', 'The file with this media cannot be read');
}

/** How a reply begins whose body is sent at the pace of its viewer. */
export interface PacedHead {
  readonly status: number;
  readonly headers: string;
  /** Length of the body; where it is not known the reply ends when its media does. */
  readonly bodyBytes?: number;
}

/**
 * Sends media that comes by itself, at the pace of the one viewer who asked: what is next is asked for when all of it has left. Ends in order when
 * the stream does.
 *
 * @param make the media; it ends when the signal comes, and asks for room before it takes memory
 */
export async function sendPaced(
  exchange: Exchange,
  output: StreamOutput,
  { status, headers, bodyBytes }: PacedHead,
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
    // A viewer who may not watch any more is disconnected without an error.
    exchange.connectionSession.session?.hold(() => {
      body.abort();
      over.abort();
    }),
  ];
  try {
    body.admit();
    for await (const { pieces } of make(over.signal, async (bytes) => body.room(bytes, over.signal))) {
      await body.write(pieces);
      if (body.isGone || (bodyBytes !== undefined && over.signal.aborted)) break;
    }
    // What has a length and is not all there must not look as if it were.
    if (bodyBytes !== undefined && over.signal.aborted) body.abort();
    else if (body.hasBegun || body.isGone) body.end();
    else exchange.reply(errorReply('stream_not_running', `${output.name} has nothing to play`));
  } catch (error) {
    body.fail(error);
  } finally {
    for (const end of ends) end?.();
  }
}
