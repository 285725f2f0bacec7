import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { FromMediaThread } from './messages.ts';
import type { MediaWorker } from './media-worker.ts';

/** Where encoders publish by RTMP; `host` is null for all addresses of the machine, port 0 lets the system choose. */
export interface RtmpAddress {
  readonly host: string | null;
  readonly port: number;
  /** Makes it speak TLS (RTMPS); plain TCP without it. */
  readonly tls?: RtmpCertificates;
}

/** A certificate and its key in PEM form, and those that come after it. */
interface RtmpCertificates {
  /** The one that counts now. Raises what keeps it from being used. */
  current(): PemFiles;
  /** Calls back with each new one; returns the end of it. */
  onChange(listener: (files: PemFiles) => void): () => void;
}

interface PemFiles {
  readonly cert: Uint8Array;
  readonly key: Uint8Array;
}

/** A port that encoders publish to. */
export interface OpenRtmpPort {
  readonly port: number;
  /** Gives the port back and disconnects its encoders. */
  close(): Promise<void>;
}

type Thread = Pick<MediaWorker, 'number' | 'gone' | 'post'>;
type Said = Extract<FromMediaThread, { kind: 'rtmp-listening' | 'rtmp-failed' | 'rtmp-closed' }>;

/** The ports that encoders publish to. The media threads share each of them, where the system can. */
export class RtmpListeners {
  readonly #threads: () => readonly Thread[];
  readonly #isShared: boolean;
  readonly #open = new Map<number, RtmpAddress>();
  readonly #waiting = new Map<string, PromiseWithResolvers<number>>();
  #nextId = 1;

  /** @param threads those that listen, in their order @param isShared whether they are several */
  constructor(threads: () => readonly Thread[], isShared: boolean) {
    this.#threads = threads;
    this.#isShared = isShared;
  }

  /** Listens on all threads; rejects with why the port cannot be had. */
  async open(address: RtmpAddress): Promise<OpenRtmpPort> {
    const id = this.#nextId++;
    const [first, ...others] = this.#threads();
    if (!first) throw new Error('no media thread runs');
    // Several programs may share a port as our threads do; the one that listens for itself first finds out whether another has it.
    if (this.#isShared && address.port !== 0) await this.#probe(first, id, address);
    // The first thread finds the port; the others, and all later lives, share it.
    const port = await this.#listen(first, id, address);
    const known = { ...address, port };
    this.#open.set(id, known);
    const endOfRenewals = address.tls?.onChange((files) => {
      for (const thread of this.#threads()) thread.post({ kind: 'rtmp-certificate', listener: id, tls: pemOf(files) });
    });
    const close = (): Promise<void> => {
      endOfRenewals?.();
      return this.#close(id);
    };
    const results = await Promise.allSettled(others.map((thread) => this.#listen(thread, id, known)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      await close();
      throw failed.reason;
    }
    return { port, close };
  }

  /** A thread runs again: it listens like the others. */
  launched(thread: Thread): void {
    for (const [id, address] of this.#open) this.#listen(thread, id, address).catch(() => undefined);
  }

  /** Takes what a thread said. */
  take(thread: Thread, message: Said): void {
    const key = `${thread.number}/${message.listener}`;
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (message.kind === 'rtmp-failed') waiting?.reject(new Error(message.detail));
    else waiting?.resolve(message.kind === 'rtmp-listening' ? message.port : 0);
  }

  async #listen(
    thread: Thread,
    id: number,
    { host, port, tls }: RtmpAddress,
    reusePort = this.#isShared,
  ): Promise<number> {
    const secure = tls === undefined ? {} : { tls: pemOf(tls.current()) };
    const answer = this.#wait(thread, id);
    thread.post({ kind: 'rtmp-listen', listener: id, ...(host === null ? {} : { host }), port, reusePort, ...secure });
    return await answer;
  }

  async #probe(thread: Thread, id: number, address: RtmpAddress): Promise<void> {
    await this.#listen(thread, id, address, false);
    await this.#closeOn(thread, id);
  }

  #closeOn(thread: Thread, id: number): Promise<number> {
    const answer = this.#wait(thread, id);
    thread.post({ kind: 'rtmp-close', listener: id });
    return answer;
  }

  async #close(id: number): Promise<void> {
    this.#open.delete(id);
    await Promise.allSettled(this.#threads().map((thread) => this.#closeOn(thread, id)));
  }

  /** The next answer of a thread about a listener; a thread that dies answers nothing any more. */
  #wait(thread: Thread, id: number): Promise<number> {
    const key = `${thread.number}/${id}`;
    const waiting = Promise.withResolvers<number>();
    this.#waiting.set(key, waiting);
    void thread.gone.then((words) => {
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      waiting.reject(new Error(words));
    });
    return waiting.promise;
  }
}

function pemOf({ cert, key }: PemFiles): CertificatePem {
  const text = new TextDecoder();
  return { cert: text.decode(cert), key: text.decode(key) };
}
