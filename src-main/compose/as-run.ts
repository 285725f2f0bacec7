import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AsRunObject } from '../../src-preload/contract/api/as-run/as-run-object.ts';
import type { Play } from '../ads/advertisements.ts';
import { clipMs, segmentsOf, type Skip } from '../ads/clips/clip.ts';
import { joined, type ReadDecision } from '../ads/decision/read-decision.ts';
import type { Config } from '../config/schema/config.ts';
import { AsRunLog } from '../control/advertising/as-run-log.ts';
import { AsRunOnThread } from '../db/thread/as-run-on-thread.ts';
import type { KeyFile } from '../db/key-file.ts';
import { DatabaseWorker } from '../db/thread/database-worker.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Session } from '../sessions/session.ts';
import type { ServerOptions } from './server-options.ts';
import { SigningKey } from '../control/signing-key.ts';

/** Log of advertisements, and its writers. */
export interface AsRunUnit {
  readonly log: AsRunLog;
  /** Key for signing reports. */
  readonly key: KeyFile;
  /** Records the sent part of a clip, and emits its events. */
  played(play: Play): void;
  /** Emits the event of a skipped clip or break. */
  skipped(session: Session, skip: Skip): void;
  /** Emits the event of a decision with faults, or with notes on its interpretation. */
  answered(session: Session, read: Pick<ReadDecision, 'faults' | 'notes'>): void;
  close(): Promise<void>;
}

/**
 * Opens the log of advertisements in the data folder. Its file and its database thread are created with the first row or the
 * first query.
 */
export function openAsRun(
  options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log' | 'databaseThreadEntry' | 'mediaThreads'>,
  events: EventEmitter,
  config: () => Pick<Config, 'asRunKeptMs'>,
): AsRunUnit {
  const { dataFolder, clock, log: lines, databaseThreadEntry, mediaThreads } = options;
  const path = join(dataFolder, 'as-run.db');
  const wasMade = existsSync(path);
  let worker: DatabaseWorker | undefined;
  let opened: Promise<AsRunOnThread> | undefined;
  const open = async (): Promise<AsRunOnThread> => {
    worker ??= new DatabaseWorker({ entry: mediaThreads === 0 ? undefined : databaseThreadEntry, clock, log: lines });
    try {
      await worker.open('as-run-open', path);
      // The key is created with the log, so a log without a key means that the key was lost.
      if (!wasMade)
        await key.read().catch((error: unknown) => {
          lines.warn('the key of the log of advertisements could not be created', { error: messageOf(error) });
        });
      return new AsRunOnThread(worker);
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  const keyOptions = { path: join(dataFolder, 'as-run.key'), log: lines, now: () => clock.now() };
  const key = new SigningKey(keyOptions, () => Promise.resolve(wasMade));
  // A lost key is reported at the start, not at the next export.
  if (wasMade) void key.read().catch(() => undefined);
  const log = new AsRunLog({
    clock,
    log: lines,
    signingKey: key.read,
    store: async () => (opened ??= open()),
    exists: () => opened !== undefined || existsSync(path),
    retentionMs: () => config().asRunKeptMs,
  });
  return {
    log,
    key: key.file,
    played(play) {
      const row = rowOf(play, clock.now());
      const { id, stream, sent_at: _sentAt, sent: _sent, progress: _progress, proto: _proto, ...fields } = row;
      const event = { ...fields, media: stream, submedia: null, showing_id: id, user_name: null };
      for (const progress of play.reached)
        if (progress === 0) events.emit('ad_inject', event);
        else events.emit('ad_progress', { ...event, progress });
      log.record(row);
    },
    skipped({ id, name, visitor, userId }, { path, placement, breakId, reason, detail, explanation }) {
      events.emit('ad_skipped', {
        media: name,
        submedia: null,
        path,
        placement,
        break_id: breakId,
        reason,
        detail: detail || null,
        explanation,
        session_id: id,
        country: visitor.country,
        user_id: userId,
      });
    },
    answered({ id, name, visitor, userId }, { faults, notes }) {
      events.emit('ad_answer', {
        media: name,
        is_refused: faults.length > 0,
        ...joined([...faults, ...notes]),
        session_id: id,
        country: visitor.country,
        user_id: userId,
      });
    },
    async close() {
      await log.close();
      await worker?.close();
    },
  };
}

function rowOf({ session, showing, insertBy }: Play, nowMs: number): AsRunObject {
  const { clip, placement, breakId, startMs, delivered } = showing;
  const total = segmentsOf(clip).length;
  const duration = clipMs(clip, total) / 1000;
  return {
    // If a viewer was away for longer than the window and returns before the planned end, two breaks have the same end. So the
    // id contains the start.
    id: `${session.id}-${breakId}-${Math.round(startMs).toString(36)}`,
    sent_at: nowMs,
    stream: session.name,
    session_id: session.id,
    path: clip.path,
    break_id: breakId,
    placement,
    midroll_insert_by: placement === 'midroll' ? insertBy : null,
    dts: Math.round(startMs),
    duration,
    sent: Math.round((duration * 1000 * delivered.count) / total) / 1000,
    progress: Math.floor((delivered.count * 4) / total) * 25,
    proto: session.proto,
    country: session.visitor.country,
    user_id: session.userId,
  };
}
