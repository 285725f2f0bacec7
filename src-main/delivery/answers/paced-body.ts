import type { MediaBytes, Piece } from '../../segment/media-bytes.ts';
import type { BodyStream, Exchange, Reply } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { piecesInReads, readNext } from './file-reads.ts';

/** The body of a reply that is written as fast as the other side takes it, from memory or from files. */
export class PacedBody {
  readonly #exchange: Exchange;
  readonly #output: StreamOutput;
  readonly #open: () => BodyStream;
  #stream: BodyStream | undefined;
  /** Whether the other side has gone, or was sent away: nothing more is written. */
  isGone = false;

  /** @param open begins the reply, once there is something to write: a file that cannot be read at all is said so, and not in the middle of a body */
  constructor(exchange: Exchange, output: StreamOutput, open: () => BodyStream, onGone?: () => void) {
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

  /** Comes back when all of it has left, or the other side has gone. Raises what keeps a file from being read. */
  async write(pieces: readonly Piece[]): Promise<void> {
    for (const next of piecesInReads(pieces)) {
      const { bytes, done } = await readNext(next);
      try {
        if (this.isGone) return;
        await this.#writeAll(bytes);
        if (this.isGone) return;
      } finally {
        done();
      }
    }
  }

  /** Comes back when all of these have left. */
  async #writeAll(all: readonly Uint8Array[]): Promise<void> {
    const stream = (this.#stream ??= this.#open());
    const last = all.length - 1;
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

  /** Media cannot be read: an error where nothing was sent yet, and otherwise a body without its end. */
  fail(): void {
    if (this.#stream) this.#stream.abort();
    else if (!this.isGone) this.#exchange.reply(unreadable());
  }
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
 * @param make the media; it ends when the signal comes
 */
export async function sendPaced(
  exchange: Exchange,
  output: StreamOutput,
  { status, headers, bodyBytes }: PacedHead,
  make: (signal: AbortSignal) => AsyncIterable<MediaBytes>,
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
    for await (const { pieces } of make(over.signal)) {
      await body.write(pieces);
      if (body.isGone || (bodyBytes !== undefined && over.signal.aborted)) break;
    }
    // What has a length and is not all there must not look as if it were.
    if (bodyBytes !== undefined && over.signal.aborted) body.abort();
    else if (body.hasBegun || body.isGone) body.end();
    else exchange.reply(errorReply('stream_not_running', `${output.name} has nothing to play`));
  } catch {
    body.fail();
  } finally {
    for (const end of ends) end?.();
  }
}
