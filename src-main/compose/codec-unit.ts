import { join } from 'node:path';
import { CodecPool } from '../codec/codec-pool.ts';
import { HostedChildren } from '../codec/hosted-children.ts';
import type { ProcessHost } from '../codec/process-host.ts';
import { UrlReaders } from '../codec/url-readers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** What the codec processes are made with. */
export interface CodecUnitOptions {
  readonly codecProcessEntry: URL;
  /** Starts them where this process may not fork them itself. */
  readonly codecHost?: ProcessHost;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The codec processes of the server: those that do jobs and those that read inputs. */
export class CodecUnit {
  readonly pool: CodecPool;
  readonly urlReaders: UrlReaders;
  readonly #hosted: HostedChildren | undefined;

  constructor({ codecProcessEntry: entry, codecHost, dataFolder, clock, log }: CodecUnitOptions) {
    const hosted = codecHost && new HostedChildren(codecHost, clock);
    const startChild = hosted?.start.bind(hosted);
    this.#hosted = hosted;
    this.pool = new CodecPool({ entry, startChild, clock, log });
    this.urlReaders = new UrlReaders({ entry, startChild, cacheFolder: join(dataFolder, 'cache'), clock, log });
  }

  /** Ends all; resolves when no process is left. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.urlReaders.close()]);
    await this.#hosted?.close();
  }
}
