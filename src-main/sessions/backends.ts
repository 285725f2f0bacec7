import { messageOf } from '../lib/error-message.ts';
import { openRegularFile } from '../lib/regular-file.ts';
import type { AccessPolicy, Backend } from './access-policy.ts';
import { readAnswer, type Verdict } from './backend-answer.ts';
import { questionUrl, type Question } from './backend-question.ts';
import { HTTP_BACKEND_DEFAULTS, HttpBackend, type HttpBackendOptions } from './http-backend.ts';

/** Maximum size of an answer file, in bytes. */
const MAX_FILE_BYTES = 64 * 1024;
/** Maximum number of backends with open connections; the least recently requested backend is dropped first. */
const MAX_BACKENDS = 1000;

/** Decides about sessions. */
export interface Authority {
  /** Never rejects. */
  authorize(policy: Pick<AccessPolicy, 'backends'>, question: Question): Promise<Verdict>;
}

/** Decides by the subscribers of this server. */
export interface SubscriberAuthority {
  /**
   * Never rejects.
   * @param portal id or name
   */
  authorize(portal: string, question: Pick<Question, 'name' | 'token'>): Promise<Verdict>;
}

/** A backend that does not answer. */
export interface BackendTrouble {
  /** Address without secrets. */
  readonly location: string;
  /** Start of the fault, and time of the last request, in epoch milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly reason: string;
}

/** Maximum number of remembered failing backends; the oldest is dropped first. */
const MAX_TROUBLES = 100;

/** All backends requested so far, each with its own connections. */
export class Backends implements Authority {
  readonly #subscribers: SubscriberAuthority | undefined;
  readonly #options: HttpBackendOptions;
  readonly #now: () => number;
  readonly #known = new Map<string, HttpBackend>();
  readonly #troubles = new Map<string, BackendTrouble>();

  /** @param subscribers undefined if there are none; their backends then fail */
  constructor(
    subscribers?: SubscriberAuthority,
    options: HttpBackendOptions = HTTP_BACKEND_DEFAULTS,
    now: () => number = Date.now,
  ) {
    this.#subscribers = subscribers;
    this.#options = options;
    this.#now = now;
  }

  /**
   * Sends a request to all backends of a policy in parallel. The first answer that admits or redirects decides,
   * otherwise a refusal; fails if no backend answered.
   */
  authorize({ backends }: Pick<AccessPolicy, 'backends'>, question: Question): Promise<Verdict> {
    const [only] = backends;
    if (only && backends.length === 1) return this.#askOne(only, question);
    return new Promise((resolve) => {
      let open = backends.length;
      let refused: Verdict | undefined;
      let failed: Verdict = { kind: 'failed', reason: 'there is no backend' };
      if (open === 0) resolve(failed);
      for (const backend of backends) {
        void this.#askOne(backend, question).then((verdict) => {
          open--;
          if (verdict.kind === 'deny') refused ??= verdict;
          else if (verdict.kind === 'failed') failed = verdict;
          else resolve(verdict);
          if (open === 0) resolve(refused ?? failed);
        });
      }
    });
  }

  /** Backends that did not answer the last request. */
  get troubles(): readonly BackendTrouble[] {
    return [...this.#troubles.values()];
  }

  /** Ends all running requests. */
  close(): void {
    for (const backend of this.#known.values()) backend.close();
    this.#known.clear();
  }

  async #askOne(backend: Backend, question: Question): Promise<Verdict> {
    const verdict = await this.#answerOf(backend, question);
    const key = keyOf(backend.location);
    if (verdict.kind !== 'failed') this.#troubles.delete(key);
    else {
      const nowMs = this.#now();
      const sinceMs = this.#troubles.get(key)?.sinceMs ?? nowMs;
      this.#troubles.set(key, { location: nameOf(backend.location), sinceMs, lastMs: nowMs, reason: verdict.reason });
      const [oldest] = this.#troubles.keys();
      if (oldest !== undefined && this.#troubles.size > MAX_TROUBLES) this.#troubles.delete(oldest);
    }
    return verdict;
  }

  #answerOf(backend: Backend, question: Question): Promise<Verdict> {
    const { location } = backend;
    if (location.kind === 'file') return answerOfFile(location.path);
    if (location.kind === 'subscribers')
      return (
        this.#subscribers?.authorize(location.portal, question) ??
        Promise.resolve({ kind: 'failed', reason: 'there are no subscribers' })
      );
    let client = this.#known.get(location.url);
    if (client) this.#known.delete(location.url);
    else client = new HttpBackend(location.url, this.#options);
    this.#known.set(location.url, client);
    if (this.#known.size > MAX_BACKENDS) this.#forgetOldest();
    return client.authorize(questionUrl(location.url, backend, question), question.ip);
  }

  #forgetOldest(): void {
    for (const [url, client] of this.#known) {
      if (client.load > 0) continue;
      client.close();
      this.#known.delete(url);
      return;
    }
  }
}

/** Name of a backend: its address without login and query. */
function nameOf(location: Backend['location']): string {
  if (location.kind === 'file') return location.path;
  if (location.kind === 'subscribers') return `subscribers of ${location.portal}`;
  const url = URL.parse(location.url);
  return url ? `${url.origin}${url.pathname}` : 'an address';
}

function keyOf(location: Backend['location']): string {
  if (location.kind === 'file') return location.path;
  return location.kind === 'http' ? location.url : `subscribers ${location.portal}`;
}

/** Answer from a file that contains the body. A JSON object admits the viewer; any other content counts as no answer. */
async function answerOfFile(path: string): Promise<Verdict> {
  try {
    const file = await openRegularFile(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_FILE_BYTES + 1), 0, MAX_FILE_BYTES + 1, 0);
      if (bytesRead > MAX_FILE_BYTES)
        return { kind: 'failed', reason: `the file is longer than ${MAX_FILE_BYTES} bytes` };
      const body = buffer.toString('utf8', 0, bytesRead);
      // The content may be a script that was configured by mistake; it must not admit all viewers.
      if (!isObject(body)) return { kind: 'failed', reason: 'the file holds no JSON object' };
      return readAnswer({ status: 200, header: () => undefined, body });
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
