import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { MediaWorker } from './media-worker.ts';

/** RTMP address for encoders. `host` is null for all addresses of the machine; with port 0 the system chooses the port. */
export interface RtmpAddress {
  readonly host: string | null;
  readonly port: number;
  /** Certificates for TLS (RTMPS); plain TCP without them. */
  readonly tls?: RtmpCertificates;
}

/** Source of the certificate and its key in PEM form, which may be renewed. */
interface RtmpCertificates {
  /** Current certificate. Throws if it cannot be used. */
  current(): PemFiles;
  /** Calls back with each new certificate; returns the unsubscribe function. */
  onChange(listener: (files: PemFiles) => void): () => void;
}

interface PemFiles {
  readonly cert: Uint8Array;
  readonly key: Uint8Array;
}

/** An open port for encoders. */
export interface OpenRtmpPort {
  readonly port: number;
  /** Closes the port and disconnects its encoders. */
  close(): Promise<void>;
}

type Thread = Pick<MediaWorker, 'channel'>;

/**
 * Maximum time for a thread to open or close a port, in milliseconds; longer than the pause before a restart of the
 * thread.
 */
const ANSWER_MS = 30_000;

/**
 * Opens RTMP ports on the media threads: on all of them if the system can share a port, otherwise only on the first.
 */
export class RtmpListeners {
  readonly #threads: () => readonly Thread[];
  readonly #isShared: boolean;
  readonly #open = new Map<number, RtmpAddress>();
  #nextId = 1;

  /**
   * @param threads listening threads, in order
   * @param isShared true if several threads listen
   */
  constructor(threads: () => readonly Thread[], isShared: boolean) {
    this.#threads = threads;
    this.#isShared = isShared;
  }

  /** Listens on all threads; rejects with the reason if the port cannot be opened. */
  async open(address: RtmpAddress): Promise<OpenRtmpPort> {
    const id = this.#nextId++;
    const [first, ...others] = this.#threads();
    if (!first) throw new Error('no media thread is running');
    // Another program could share the port like the media threads do. An exclusive listener first finds out whether the
    // port is in use.
    if (this.#isShared && address.port !== 0) await this.#probe(first, id, address);
    // The first thread determines the port. The other threads, and threads that are restarted later, share it.
    const port = await this.#listen(first, id, address);
    const opened = { ...address, port };
    this.#open.set(id, opened);
    const unsubscribe = address.tls?.onChange((files) => {
      const renewed = { listener: id, tls: pemOf(files) };
      for (const thread of this.#threads()) thread.channel.emit('rtmp-certificate', renewed);
    });
    const close = (): Promise<void> => {
      unsubscribe?.();
      return this.#close(id);
    };
    const results = await Promise.allSettled(others.map((thread) => this.#listen(thread, id, opened)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      await close();
      throw failed.reason;
    }
    return { port, close };
  }

  /** Opens the ports on a restarted thread. */
  launched(thread: Thread): void {
    for (const [id, address] of this.#open) this.#listen(thread, id, address).catch(() => undefined);
  }

  async #listen(thread: Thread, id: number, address: RtmpAddress, reusePort = this.#isShared): Promise<number> {
    const { host, port, tls } = address;
    const secure = tls === undefined ? {} : { tls: pemOf(tls.current()) };
    const listener = { listener: id, ...(host === null ? {} : { host }), port, reusePort, ...secure };
    return await thread.channel.call('rtmp-listen', listener, { timeoutMs: ANSWER_MS });
  }

  async #probe(thread: Thread, id: number, address: RtmpAddress): Promise<void> {
    await this.#listen(thread, id, address, false);
    await this.#closeOn(thread, id);
  }

  #closeOn(thread: Thread, id: number): Promise<unknown> {
    return thread.channel.call('rtmp-close', id, { timeoutMs: ANSWER_MS });
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
