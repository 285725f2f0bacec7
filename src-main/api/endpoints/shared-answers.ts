import { WorkTurns } from '../../lib/work-turns.ts';
import { BytesBody } from './cached-body.ts';
import { PiecesBody, TextBody, type Answer } from './endpoint.ts';

/** Time that an answer is kept, in milliseconds. */
const KEPT_MS = 1000;
/** Longest body that is kept, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum length of all kept bodies, in bytes. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Maximum number of kept answers. */
const MAX_ANSWERS = 1000;
/** Number of answers that are made at the same time. */
const AT_ONCE = 4;

interface CachedAnswer {
  /** Undefined for an answer that cannot be shared. */
  readonly answer: Promise<Answer | undefined>;
  bytes: number;
}

/**
 * Answers to callers without a login. One answer serves all such callers for a second, because any client that reaches the server
 * may send any number of requests. Client addresses take turns at answers that must be computed.
 */
export class SharedAnswers {
  readonly #turns = new WorkTurns(AT_ONCE);
  readonly #cached = new Map<string, CachedAnswer>();
  #bytes = 0;

  /**
   * Kept or newly made answer. Rejects with the error of `make`; errors are not kept.
   *
   * @param key everything that the answer depends on
   * @param who address of the caller
   */
  async get(key: string, who: string, make: () => Promise<Answer>): Promise<Answer> {
    const cached = await this.#cached.get(key)?.answer;
    if (cached) return cached;
    return this.#turns.run(who, async () => {
      const making = this.#cached.get(key);
      // Without a pause in between, so that no two callers make the same answer.
      if (!making) return this.#make(key, make);
      return (await making.answer) ?? this.#make(key, make);
    });
  }

  async #make(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const made = make().then(sharable);
    // A failure is the business of the caller that asked for the answer; others try for themselves.
    const answer = made.then(
      ({ shared }) => shared,
      () => undefined,
    );
    const cached = { answer, bytes: 0 };
    this.#cached.set(key, cached);
    try {
      const { answer: own, shared } = await made;
      if (shared) this.#keep(key, cached, shared);
      else this.#forget(key, cached);
      return own;
    } catch (error) {
      this.#forget(key, cached);
      throw error;
    }
  }

  #keep(key: string, cached: CachedAnswer, { body }: Answer): void {
    if (this.#cached.get(key) !== cached) return;
    cached.bytes = body instanceof BytesBody ? body.bytes.length : 0;
    this.#bytes += cached.bytes;
    for (const [oldKey, old] of this.#cached) {
      if (this.#bytes <= MAX_KEPT_BYTES && this.#cached.size <= MAX_ANSWERS) break;
      if (old !== cached) this.#forget(oldKey, old);
    }
    setTimeout(() => {
      this.#forget(key, cached);
    }, KEPT_MS).unref();
  }

  #forget(key: string, cached: CachedAnswer): void {
    if (this.#cached.get(key) !== cached) return;
    this.#cached.delete(key);
    this.#bytes -= cached.bytes;
  }
}

interface Made {
  /** The answer for the caller that asked for it. */
  readonly answer: Answer;
  /** The same answer for all callers; undefined if its body is too long to be kept. */
  readonly shared: Answer | undefined;
}

async function sharable(answer: Answer): Promise<Made> {
  const { body } = answer;
  if (body === undefined || body instanceof BytesBody) return { answer, shared: answer };
  if (body instanceof PiecesBody) return collected(answer, body);
  const { text, contentType } =
    body instanceof TextBody ? body : { text: JSON.stringify(body), contentType: 'application/json; charset=utf-8' };
  if (text.length > MAX_BODY_BYTES) return { answer, shared: undefined };
  const shared = { ...answer, body: new BytesBody(Buffer.from(text), contentType) };
  return { answer: shared, shared };
}

/** Reads a body to its end, or to the maximum length. */
async function collected(answer: Answer, { pieces, contentType }: PiecesBody): Promise<Made> {
  const rest = pieces[Symbol.asyncIterator]();
  const read: string[] = [];
  let length = 0;
  for (;;) {
    const next = await rest.next();
    if (next.done) break;
    read.push(next.value);
    length += next.value.length;
    if (length > MAX_BODY_BYTES)
      return { answer: { ...answer, body: new PiecesBody(chained(read, rest), contentType) }, shared: undefined };
  }
  const shared = {
    ...answer,
    body: new BytesBody(Buffer.concat(read.map((piece) => Buffer.from(piece))), contentType),
  };
  return { answer: shared, shared };
}

async function* chained(read: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string, void> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
