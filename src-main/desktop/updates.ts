import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** Client of an update feed. */
export interface Updater {
  /** Checks for an update and downloads it. Returns the version that is ready to install; undefined if there is none. */
  download(): Promise<string | undefined>;
}

export interface UpdatesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the client of the feed; called once, before the first check. */
  readonly open: () => Promise<Updater>;
}

/** Delay of the first check, so that the server and its streams start first, and interval of checks, in milliseconds. */
const FIRST_MS = 60_000;
const INTERVAL_MS = 6 * 3_600_000;

/**
 * Checks for updates one minute after the start and every six hours. A downloaded update is installed when the user
 * quits the application. A failed check is logged and repeated later.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #updater: Promise<Updater> | undefined;
  #cancel: () => void = () => {};
  /** Version of the downloaded update. */
  #ready: string | undefined;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** Starts the checks; returns at once. */
  start(): void {
    this.#checkAfter(FIRST_MS);
  }

  /** Stops the checks. */
  close(): void {
    this.#cancel();
  }

  #checkAfter(delayMs: number): void {
    this.#cancel = this.#options.clock.after(delayMs, () => {
      this.#checkAfter(INTERVAL_MS);
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    const { log, open } = this.#options;
    try {
      this.#updater ??= open();
      const version = await (await this.#updater).download();
      if (version === undefined || version === this.#ready) return;
      this.#ready = version;
      log.info('an update was downloaded and will be installed when the application quits', { version });
    } catch (error) {
      log.warn('the check for updates failed and will be repeated later', { reason: messageOf(error) });
    }
  }
}
