import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { PortalDesk } from '../control/subscribers/portal-desk.ts';
import { DatabaseWorker } from '../db/thread/database-worker.ts';
import { SubscribersOnThread } from '../db/thread/subscribers-on-thread.ts';
import { messageOf } from '../lib/error-message.ts';
import type { ServerOptions } from './server-options.ts';

/** Subscribers and their log. */
export interface SubscribersUnit {
  readonly desk: PortalDesk;
  /** Why the database cannot be used; null where it can, or is not needed yet. */
  readonly alert: string | null;
  close(): Promise<void>;
}

/**
 * Subscribers of the data folder, on a database thread of their own: each of their changes waits for a disk, and no question about archives is to wait with
 * them. The thread is started at once where the file is there, and else with the first question.
 */
export function openSubscribers(
  options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log' | 'databaseThreadEntry' | 'mediaThreads'>,
): SubscribersUnit {
  const { dataFolder, clock, log, databaseThreadEntry, mediaThreads } = options;
  const path = join(dataFolder, 'subscribers.db');
  let worker: DatabaseWorker | undefined;
  let opened: Promise<SubscribersOnThread> | undefined;
  let alert: string | null = null;
  let isClosed = false;
  const open = async (): Promise<SubscribersOnThread> => {
    worker ??= new DatabaseWorker({ entry: mediaThreads === 0 ? undefined : databaseThreadEntry, clock, log });
    try {
      await worker.open('subscribers-open', path);
      alert = null;
      return new SubscribersOnThread(worker);
    } catch (error) {
      opened = undefined;
      if (alert === null) log.error('the database of subscribers cannot be opened', { error: messageOf(error) });
      alert = `The database of subscribers cannot be opened: ${messageOf(error)}`;
      throw new AirdeskError(
        'unavailable',
        'The database of subscribers cannot be opened; see the log',
        {},
        { cause: error },
      );
    }
  };
  const store = async (): Promise<SubscribersOnThread> => {
    if (isClosed) throw new AirdeskError('unavailable', 'The server stops');
    return (opened ??= open());
  };
  if (existsSync(path)) store().catch(() => undefined);
  return {
    desk: new PortalDesk({ store, clock }),
    get alert() {
      return alert;
    },
    async close() {
      isClosed = true;
      await worker?.close();
    },
  };
}
