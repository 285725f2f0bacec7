import type { CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { MediaWorker } from './media-worker.ts';

/** An RTMP address for encoders; `host` is null for all addresses of the machine, port 0 lets the system choose. */
export interface RtmpAddress {
  readonly host: string | null;
  readonly port: number;
  /** Certificates for TLS (RTMPS); plain TCP without them. */
  readonly tls?: RtmpCertificates;
}

/** Current certificate and key in PEM form, and later ones. */
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

/** Maximum time for a thread to open or close a port, in milliseconds: longer than the pause before a restart. */
const ANSWER_MS = 30_000;

/** Ports for encoders, shared by the media threads if the system supports it. */
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
    // Several programs may share a port as our threads do; an exclusive listener finds out first whether another
    // program has the port.
    if (this.#isShared && address.port !== 0) await this.#probe(first, id, address);
    // The first thread determines the port; the other threads and their later runs share it.
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

  /** Opens the ports on a restarted thread. */
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
