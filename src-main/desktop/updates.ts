import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** What asks a feed. */
export interface Updater {
  /** Asks, and downloads what is newer; the version that is ready to be installed, undefined where there is none. */
  download(): Promise<string | undefined>;
}

/** What `Updates` is made with. */
export interface UpdatesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens what asks the feed; called once, with the first question. */
  readonly open: () => Promise<Updater>;
}

/** The start of the server and of the streams comes first. */
const FIRST_MS = 60_000;
const INTERVAL_MS = 6 * 3_600_000;

/**
 * Looks for updates a minute after the start and every six hours. What is found is downloaded and waits for the end of the application:
 * nothing is ended for it. A feed that does not answer is a line in the log, and asked again.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #updater: Promise<Updater> | undefined;
  #cancel: () => void = () => {};
  #ready: string | undefined;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** Starts looking; returns at once. */
  start(): void {
    this.#askAfter(FIRST_MS);
  }

  /** Looks no more. */
  close(): void {
    this.#cancel();
  }

  #askAfter(delayMs: number): void {
    this.#cancel = this.#options.clock.after(delayMs, () => {
      this.#askAfter(INTERVAL_MS);
      void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    const { log, open } = this.#options;
    try {
      this.#updater ??= open();
      const version = await (await this.#updater).download();
      if (version === undefined || version === this.#ready) return;
      this.#ready = version;
      log.info('an update was downloaded; it is installed when the application is quit', { version });
    } catch (error) {
      log.warn('looking for updates failed; it is tried again later', { reason: messageOf(error) });
    }
  }
}
