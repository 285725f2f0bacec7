import { WorkTurns } from '../../lib/work-turns.ts';
import { BytesBody } from './cached-body.ts';
import { PiecesBody, TextBody, type Answer } from './endpoint.ts';

/** Lifetime of an answer, in milliseconds. */
const CACHE_MS = 1000;
/** Maximum size of a cached body, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum size of all cached bodies, in bytes. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** Maximum number of cached answers. */
const MAX_ANSWERS = 1000;
/** Number of answers that are computed at the same time. */
const AT_ONCE = 4;

interface CachedAnswer {
  /** Promise of the answer; undefined for an answer that cannot be shared. */
  readonly answer: Promise<Answer | undefined>;
  bytes: number;
}

/**
 * Cached answers to callers without a login. One answer serves all such callers for a second, because every client that reaches
 * the server may send any number of requests. Client addresses take turns when answers are computed.
 */
export class SharedAnswers {
  readonly #turns = new WorkTurns(AT_ONCE);
  readonly #cached = new Map<string, CachedAnswer>();
  #bytes = 0;

  /**
   * Returns the cached answer, or computes it. Rejects with the error of `make`; errors are not cached.
   *
   * @param key everything that the answer depends on
   * @param who address of the caller
   */
  async get(key: string, who: string, make: () => Promise<Answer>): Promise<Answer> {
    const cached = await this.#cached.get(key)?.answer;
    if (cached) return cached;
    return this.#turns.run(who, async () => {
      const making = this.#cached.get(key);
      // There must be no await before this call, so that no answer is computed twice at the same time.
      if (!making) return this.#make(key, make);
      return (await making.answer) ?? this.#make(key, make);
    });
  }

  async #make(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const making = make().then(sharable);
    // A failure only concerns the caller that requested the answer. Waiting callers compute it again.
    const answer = making.then(
      ({ shared }) => shared,
      () => undefined,
    );
    const cached = { answer, bytes: 0 };
    this.#cached.set(key, cached);
    try {
      const { answer: reply, shared } = await making;
      if (shared) this.#keep(key, cached, shared);
      else this.#forget(key, cached);
      return reply;
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
      if (this.#bytes <= MAX_CACHE_BYTES && this.#cached.size <= MAX_ANSWERS) break;
      if (old !== cached) this.#forget(oldKey, old);
    }
    setTimeout(() => {
      this.#forget(key, cached);
    }, CACHE_MS).unref();
  }

  #forget(key: string, cached: CachedAnswer): void {
    if (this.#cached.get(key) !== cached) return;
    this.#cached.delete(key);
    this.#bytes -= cached.bytes;
  }
}

interface MadeAnswer {
  /** Answer for the caller that requested it. */
  readonly answer: Answer;
  /** The same answer for all callers; undefined if its body is too long for the cache. */
  readonly shared: Answer | undefined;
}

async function sharable(answer: Answer): Promise<MadeAnswer> {
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
async function collected(answer: Answer, { pieces, contentType }: PiecesBody): Promise<MadeAnswer> {
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
