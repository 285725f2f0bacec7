import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { SubscriberApiContext } from '../api/subscribers/subscriber-api.ts';
import { ViewerAccess } from '../control/subscribers/viewer-access.ts';
import { ViewerTokenService } from '../control/subscribers/viewer-token-service.ts';
import { SigningKey } from '../control/signing-key.ts';
import { LogProofService } from '../control/subscribers/log-proof-service.ts';
import { OperationExportService, OperationExportJobs } from '../control/subscribers/operation-export-service.ts';
import type { OperationExportJob } from '../control/subscribers/operation-export-service.ts';
import { OperationExportWriter } from '../control/subscribers/operation-export-writer.ts';
import { PortalService } from '../control/subscribers/portal-service.ts';
import { SubscriptionSchedule } from '../control/subscribers/subscription-schedule.ts';
import { WebhookDeliveries } from '../control/subscribers/webhook-deliveries.ts';
import { WebhookPosts } from '../control/subscribers/webhook-posts.ts';
import { WebhookService } from '../control/subscribers/webhook-service.ts';
import { SecretSeal } from '../control/subscribers/secret-seal.ts';
import type { JobRepository } from '../db/job-repository.ts';
import type { KeyFile } from '../db/key-file.ts';
import { DatabaseWorker } from '../db/thread/database-worker.ts';
import { SubscribersOnThread } from '../db/thread/subscribers-on-thread.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { WebhookFigures } from '../subscribers/webhook.ts';
import { messageOf } from '../lib/error-message.ts';
import { every } from '../lib/timers.ts';
import { jobStore } from './job-store.ts';
import type { ServerOptions } from './server-options.ts';
import type { Storage } from './storage.ts';

/** Subscribers and their log. */
export interface SubscribersUnit {
  readonly api: SubscriberApiContext;
  /** Authorizes viewers with a subscriber's token. */
  readonly viewers: ViewerAccess;
  /** Moves old operations out of the database from now on, as configured. */
  retain(config: () => RetentionConfig): void;
  /**
   * Numbers of failing webhooks and of operations that wait to be posted again, at most 15 seconds old; undefined before the
   * first measurement.
   */
  readonly webhookFigures: WebhookFigures | undefined;
  /** Key for signing digests of the log. */
  readonly key: KeyFile;
  /** Reason why the database cannot be used; null if it can be used or was not needed yet. */
  readonly alert: Fault | null;
  close(): Promise<void>;
}

/** Retention settings of the operations log. */
type RetentionConfig = Pick<Config, 'operationsHotMs' | 'operationsWarmMs' | 'operationsColdFolder'>;

/**
 * Interval between two checks for operations to move, and pause between two steps, in milliseconds. Other reads and
 * writes run in the pauses.
 */
const MOVE_MS = 60_000;
const STEP_MS = 10;
/** Interval between two measurements of webhook queues, in milliseconds. */
const QUEUE_CHECK_MS = 15_000;
/** Interval between two checks for complete hours of the log, in milliseconds. */
const DIGEST_MS = 60_000;

/**
 * Opens the subscribers of the data folder on a separate database thread, so that queries of archives do not wait for
 * changes of subscribers, which are written to disk. The thread starts at once if the file exists, otherwise with the
 * first query.
 */
export function openSubscribers(
  options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log' | 'databaseThreadEntry' | 'mediaThreads'>,
  { operationExportJobs, seal: fileSeal }: Pick<Storage, 'operationExportJobs' | 'seal'>,
  events: EventEmitter,
): SubscribersUnit {
  const { dataFolder, clock, log, databaseThreadEntry, mediaThreads } = options;
  const path = join(dataFolder, 'subscribers.db');
  let worker: DatabaseWorker | undefined;
  let opened: Promise<SubscribersOnThread> | undefined;
  let alert: Fault | null = null;
  let isClosed = false;
  const open = async (): Promise<SubscribersOnThread> => {
    worker ??= new DatabaseWorker({ entry: mediaThreads === 0 ? undefined : databaseThreadEntry, clock, log });
    try {
      await worker.open('subscribers-open', path);
      alert = null;
      startDeliveries();
      startSchedule();
      checkKey();
      return new SubscribersOnThread(worker);
    } catch (error) {
      opened = undefined;
      if (alert === null) log.error('the database of subscribers cannot be opened', { error: messageOf(error) });
      alert = { fault: 'subscribers_closed', facts: { explanation: messageOf(error) } };
      throw new AirdeskError(
        'unavailable',
        'The database of subscribers cannot be opened; see the log',
        {},
        { cause: error },
      );
    }
  };
  const store = async (): Promise<SubscribersOnThread> => {
    if (isClosed) throw new AirdeskError('unavailable', 'The server is stopping');
    return (opened ??= open());
  };
  const seal = new SecretSeal(() => fileSeal);
  const posts = new WebhookPosts({ clock, seal });
  const deliveries = new WebhookDeliveries({ store, clock, log, posts });
  const startDeliveries = (): void => {
    // Deferred, because it uses the store, which is assigned a moment later.
    void Promise.resolve()
      .then(() => deliveries.start())
      .catch((error: unknown) => {
        log.error('webhooks cannot be read', { error: messageOf(error) });
      });
  };
  // Deferred, because it uses the store, which is assigned a moment later.
  const startSchedule = (): void => {
    void Promise.resolve().then(() => {
      schedule.start();
    });
  };
  const key = new SigningKey({ path: join(dataFolder, 'subscribers.key'), log, now: () => clock.now() }, async () =>
    (await store()).hasDigests(),
  );
  const signingKey = key.read;
  const checkKey = (): void => {
    // Failures are logged. Deferred, because it uses the store, which is assigned a moment later.
    void Promise.resolve()
      .then(signingKey)
      .catch(() => undefined);
  };
  const signDigests = async (): Promise<void> => {
    if (!opened || isClosed) return;
    try {
      await (await opened).write({ kind: 'digests', privateKey: await signingKey(), nowMs: clock.now() });
    } catch (error) {
      if (!key.file.isLost) log.error('digests of the operations log cannot be signed', { error: messageOf(error) });
    }
  };
  let webhookFigures: WebhookFigures | undefined;
  const measureQueues = async (): Promise<void> => {
    if (opened && !isClosed) webhookFigures = await (await opened).webhookFigures();
  };
  let stopMoving = (): void => undefined;
  const stop = every(clock, DIGEST_MS, () => void signDigests());
  const stopMeasuring = every(clock, QUEUE_CHECK_MS, () => measureQueues().catch(() => undefined));
  if (existsSync(path)) store().catch(() => undefined);
  const exports = openExports({ ...options, store, repository: operationExportJobs });
  const viewers = new ViewerAccess({ store, clock });
  const portals = new PortalService({
    store,
    clock,
    recorded: (portalId, command) => {
      deliveries.recorded(portalId);
      viewers.commanded(command);
      schedule.commanded(command);
    },
    keyRefused: ({ address, portalId, isSlowed }) => {
      const emit = (name: string | null): void => {
        const portal = portalId ?? null;
        events.emit('portal_key_refused', { ip: address, portal, portal_name: name, is_slowed: isSlowed });
      };
      if (portalId === undefined) {
        emit(null);
        return;
      }
      portals.portal(portalId).then(
        ({ name }) => {
          emit(name);
        },
        () => {
          emit(null);
        },
      );
    },
    portalChanged: () => {
      viewers.changed();
    },
  });
  const schedule = new SubscriptionSchedule({
    store,
    clock,
    log,
    command: async (...call) => portals.command(...call),
  });
  return {
    key: key.file,
    api: {
      portals,
      webhooks: new WebhookService({ store, clock, portals, deliveries, posts, seal }),
      logProof: new LogProofService({ store, signingKey }),
      exports: exports.service,
      viewerTokens: new ViewerTokenService({ store, clock, portals, viewers }),
    },
    viewers,
    retain(config) {
      const folder = join(dataFolder, 'operations');
      const move = async (): Promise<void> => {
        try {
          for (let isMore = opened !== undefined; isMore && opened && !isClosed;) {
            const { operationsHotMs: hotMs, operationsWarmMs: warmMs, operationsColdFolder: cold } = config();
            const coldFolder = resolve(dataFolder, cold ?? join(folder, 'cold'));
            isMore = await (
              await opened
            ).moveLog({ nowMs: clock.now(), hotMs, warmMs: Math.max(hotMs, warmMs), coldFolder });
            if (isMore) await new Promise<void>((next) => clock.after(STEP_MS, next));
          }
        } catch (error) {
          // If the database was closed between two steps, the next start of the server continues, so this is no error.
          if (!isClosed) log.error('operations cannot be moved to their archive', { error: messageOf(error) });
        }
      };
      stopMoving = every(clock, MOVE_MS, move);
    },
    get webhookFigures() {
      return webhookFigures;
    },
    get alert() {
      return alert;
    },
    async close() {
      isClosed = true;
      stop();
      stopMeasuring();
      stopMoving();
      await schedule.close();
      await deliveries.close();
      await exports.close();
      await worker?.close();
    },
  };
}

/** Interval between two checks for old exports, in milliseconds. */
const EXPORTS_MS = 60_000;
/** Delay after the start before unfinished exports restart, in milliseconds: streams come first. */
const EXPORTS_RESTART_DELAY_MS = 5000;

/** Opens the exports of operations logs. */
function openExports({
  dataFolder,
  clock,
  log,
  store,
  repository,
}: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'> & {
  readonly store: () => Promise<SubscribersOnThread>;
  readonly repository: JobRepository | undefined;
}): { readonly service: OperationExportService; close(): Promise<void> } {
  const unstored = (error: unknown): void => {
    log.error('export jobs of the operations log cannot be stored', { error: messageOf(error) });
  };
  const jobs = repository
    ? new OperationExportJobs({
        clock,
        store: jobStore<OperationExportJob>(repository),
        runner: new OperationExportWriter(store),
        unstored,
        codes: { failed: 'export_failed', cancelled: 'export_cancelled' },
        ended: ({ id, failure }) => {
          if (failure)
            log.warn('an export of the operations log failed', {
              export: id,
              code: failure.code,
              detail: failure.detail,
            });
        },
      })
    : undefined;
  const service = new OperationExportService({ clock, jobs, folder: join(dataFolder, 'operation-exports') });
  const cancel = clock.after(EXPORTS_RESTART_DELAY_MS, () => jobs?.start());
  const stop = every(clock, EXPORTS_MS, () => void service.removeOld().catch(unstored));
  return {
    service,
    async close() {
      cancel();
      stop();
      await jobs?.close();
    },
  };
}
