import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
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

type Thread = Pick<MediaWorker, 'channel'>;

/** Time in which a thread opens or closes a port, in milliseconds: longer than the pause before it is started again. */
const ANSWER_MS = 30_000;

/** The ports that encoders publish to. The media threads share each of them, where the system can. */
export class RtmpListeners {
  readonly #threads: () => readonly Thread[];
  readonly #isShared: boolean;
  readonly #open = new Map<number, RtmpAddress>();
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
      const renewed = { listener: id, tls: pemOf(files) };
      for (const thread of this.#threads()) thread.channel.emit('rtmp-certificate', renewed);
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

  async #listen(thread: Thread, id: number, address: RtmpAddress, reusePort = this.#isShared): Promise<number> {
    const { host, port, tls } = address;
    const secure = tls === undefined ? {} : { tls: pemOf(tls.current()) };
    const listener = { listener: id, ...(host === null ? {} : { host }), port, reusePort, ...secure };
    return await thread.channel.ask('rtmp-listen', listener, { timeoutMs: ANSWER_MS });
  }

  async #probe(thread: Thread, id: number, address: RtmpAddress): Promise<void> {
    await this.#listen(thread, id, address, false);
    await this.#closeOn(thread, id);
  }

  #closeOn(thread: Thread, id: number): Promise<unknown> {
    return thread.channel.ask('rtmp-close', id, { timeoutMs: ANSWER_MS });
  }

  async #close(id: number): Promise<void> {
    this.#open.delete(id);
    await Promise.allSettled(this.#threads().map((thread) => this.#closeOn(thread, id)));
  }
}

function pemOf({ cert, key }: PemFiles): CertificatePem {
  const text = new TextDecoder();
  return { cert: text.decode(cert), key: text.decode(key) };
}
