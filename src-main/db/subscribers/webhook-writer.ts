import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { StoredWebhook, WebhookChange } from '../../subscribers/webhook.ts';
import type { Connection } from '../database.ts';
import { rowId } from '../subscriber-rows.ts';
import { idsOfDeadLetters, WEBHOOK_COLUMNS, webhookOf, type WebhookRow } from './webhook-rows.ts';

/** Maximum number of webhooks of a portal. */
const MAX_WEBHOOKS = 20;
/** Maximum number of undelivered operations of a webhook, and of operations that wait to be posted again. */
const MAX_DEAD_LETTERS = 10_000;
const MAX_REPLAYS = 10_000;

/** Writes webhooks. Call inside a transaction. @param newId generates an id */
export function webhookWriter(connection: Connection, newId: (nowMs: number) => bigint) {
  const portal = connection.prepare<[bigint], bigint>('SELECT id FROM portal WHERE id = ?').pluck().safeIntegers();
  const newest = connection
    .prepare<[bigint], bigint | null>(
      'SELECT coalesce((SELECT max(id) FROM operation WHERE portal_id = p.id), p.moved_id) FROM portal p WHERE p.id = ?',
    )
    .pluck()
    .safeIntegers();
  const byId = connection
    .prepare<[bigint, bigint], WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE portal_id = ? AND id = ?`)
    .safeIntegers();
  const count = connection.prepare('SELECT count(*) FROM webhook WHERE portal_id = ?').pluck();
  const add = connection.prepare(
    `INSERT INTO webhook
       (id, portal_id, url, is_private_allowed, is_disabled, secret, cursor_id, delivered, dead_letters, failures, max_per_second)
     VALUES (?, ?, ?, ?, 0, ?, ?, 0, 0, 0, ?)`,
  );
  // After a change, the next attempt follows at once.
  const set = connection.prepare(
    `UPDATE webhook SET url = ?, is_private_allowed = ?, is_disabled = ?, max_per_second = ?, is_gone = iif(?, is_gone, 0), failures = 0, next_attempt_ms = NULL,
       replay_failures = 0, replay_next_ms = NULL
     WHERE id = ?`,
  );
  const rotate = connection.prepare(
    'UPDATE webhook SET previous_secret = secret, previous_until_ms = ?, secret = ? WHERE id = ?',
  );
  const remove = connection.prepare('DELETE FROM webhook WHERE id = ?');
  const progress = connection.prepare(
    `UPDATE webhook SET cursor_id = ?, delivered = delivered + ?, dead_letters = dead_letters + ?, failures = ?,
       next_attempt_ms = ?, last_error = ?, failed_ms = coalesce(?, failed_ms), is_disabled = max(is_disabled, ?), is_gone = max(is_gone, ?),
       delivered_ms = iif(? > 0, ?, delivered_ms)
     WHERE id = ? AND url = ?`,
  );

  const putDeadLetter = connection.prepare(
    'INSERT OR REPLACE INTO webhook_dead_letter (webhook_id, operation_id, given_up_ms, error) VALUES (?, ?, ?, ?)',
  );
  const dropOldDeadLetters = connection.prepare(
    `DELETE FROM webhook_dead_letter WHERE webhook_id = ? AND operation_id <= (
       SELECT operation_id FROM webhook_dead_letter WHERE webhook_id = ? ORDER BY operation_id DESC LIMIT 1 OFFSET ${MAX_DEAD_LETTERS})`,
  );
  const countDropped = connection.prepare(
    'UPDATE webhook SET dead_letters_dropped = dead_letters_dropped + ? WHERE id = ?',
  );
  const discard = connection.prepare(
    'DELETE FROM webhook_dead_letter WHERE webhook_id = ? AND operation_id >= ? AND operation_id < ?',
  );
  const dropDeadLetter = connection.prepare(
    'DELETE FROM webhook_dead_letter WHERE webhook_id = ? AND operation_id = ?',
  );
  const queue = connection.prepare('INSERT OR IGNORE INTO webhook_replay (webhook_id, operation_id) VALUES (?, ?)');
  const unqueue = connection.prepare('DELETE FROM webhook_replay WHERE webhook_id = ? AND operation_id = ?');
  const queued = connection
    .prepare<[bigint], number>('SELECT count(*) FROM webhook_replay WHERE webhook_id = ?')
    .pluck();
  const findByUrl = connection
    .prepare<[bigint, string], bigint>('SELECT id FROM webhook WHERE id = ? AND url = ?')
    .pluck()
    .safeIntegers();
  const replayed = connection.prepare(
    `UPDATE webhook SET delivered = delivered + ?, dead_letters = dead_letters + ?, replay_failures = ?, replay_next_ms = ?,
       failed_ms = coalesce(?, failed_ms), is_disabled = max(is_disabled, ?), is_gone = max(is_gone, ?), delivered_ms = iif(? > 0, ?, delivered_ms)
     WHERE id = ?`,
  );
  const addDeadLetter = (id: bigint, operationId: string, error: string | null, nowMs: number): void => {
    putDeadLetter.run(id, rowId(operationId), nowMs, error ?? '');
    const { changes } = dropOldDeadLetters.run(id, id);
    if (changes > 0) countDropped.run(changes, id);
  };

  const requirePortal = (id: string): bigint => {
    const found = portal.get(rowId(id));
    if (found === undefined) throw new AirdeskError('portal_not_found');
    return found;
  };
  const requireWebhook = (portalId: string, id: string): WebhookRow => {
    const found = byId.get(requirePortal(portalId), rowId(id));
    if (!found) throw new AirdeskError('webhook_not_found');
    return found;
  };

  return (change: WebhookChange, nowMs: number): StoredWebhook | null => {
    switch (change.type) {
      case 'createWebhook': {
        const portalRow = requirePortal(change.portalId);
        if (Number(count.get(portalRow)) >= MAX_WEBHOOKS)
          throw new AirdeskError('too_many_webhooks', `A portal has at most ${MAX_WEBHOOKS} webhooks`);
        const id = newId(nowMs);
        // A new webhook receives operations that are recorded from now on.
        add.run(
          id,
          portalRow,
          change.url,
          change.isPrivateAllowed ? 1 : 0,
          change.secret,
          newest.get(portalRow) ?? 0n,
          change.maxPerSecond,
        );
        return shown(byId.get(portalRow, id), nowMs);
      }
      case 'updateWebhook': {
        const before = requireWebhook(change.portalId, change.webhookId);
        const flag = (value: boolean | undefined, old: bigint): number | bigint =>
          value === undefined ? old : value ? 1 : 0;
        set.run(
          change.url ?? before.url,
          flag(change.isPrivateAllowed, before.is_private_allowed),
          flag(change.isDisabled, before.is_disabled),
          change.maxPerSecond ?? before.max_per_second,
          // A webhook that an operator enables or disables is no longer `gone`.
          change.isDisabled === undefined ? 1 : 0,
          before.id,
        );
        return shown(byId.get(before.portal_id, before.id), nowMs);
      }
      case 'rotateWebhook': {
        const { id, portal_id: own } = requireWebhook(change.portalId, change.webhookId);
        rotate.run(change.previousUntilMs, change.secret, id);
        return shown(byId.get(own, id), nowMs);
      }
      case 'removeWebhook':
        remove.run(requireWebhook(change.portalId, change.webhookId).id);
        return null;
      case 'webhookProgress': {
        const { delivered, deadLetters, failures, nextAttemptMs, lastError, isGone } = change;
        const next = nextAttemptMs === null ? null : Math.ceil(nextAttemptMs);
        const webhookRow = findByUrl.get(rowId(change.webhookId), change.url);
        if (webhookRow !== undefined && deadLetters > 0) addDeadLetter(webhookRow, change.cursor, lastError, nowMs);
        progress.run(
          ...[rowId(change.cursor), delivered, deadLetters, failures, next, lastError],
          ...[lastError === null ? null : nowMs, isGone ? 1 : 0, isGone ? 1 : 0],
          ...[delivered, nowMs, rowId(change.webhookId), change.url],
        );
        return null;
      }
      case 'replayWebhook': {
        const before = requireWebhook(change.portalId, change.webhookId);
        if (Number(queued.get(before.id)) + change.operationIds.length > MAX_REPLAYS)
          throw new AirdeskError('bad_request', `At most ${MAX_REPLAYS} operations wait to be posted again`);
        for (const operationId of change.operationIds) queue.run(before.id, rowId(operationId));
        return shown(byId.get(before.portal_id, before.id), nowMs);
      }
      case 'discardDeadLetters': {
        const { id } = requireWebhook(change.portalId, change.webhookId);
        const { from, before } = idsOfDeadLetters(change.operationId, change.period);
        discard.run(id, from, before);
        return null;
      }
      case 'webhookReplayed': {
        const webhookRow = findByUrl.get(rowId(change.webhookId), change.url);
        if (webhookRow === undefined) return null;
        const { delivered, deadLetter, failures, nextAttemptMs, lastError, isGone } = change;
        for (const operationId of delivered) {
          unqueue.run(webhookRow, rowId(operationId));
          dropDeadLetter.run(webhookRow, rowId(operationId));
        }
        if (deadLetter !== undefined) {
          unqueue.run(webhookRow, rowId(deadLetter));
          addDeadLetter(webhookRow, deadLetter, lastError, nowMs);
        }
        replayed.run(
          ...[delivered.length, deadLetter === undefined ? 0 : 1, failures],
          ...[nextAttemptMs === null ? null : Math.ceil(nextAttemptMs), lastError === null ? null : nowMs],
          ...[isGone ? 1 : 0, isGone ? 1 : 0],
          ...[delivered.length, nowMs, webhookRow],
        );
        return null;
      }
      default:
        return change satisfies never;
    }
  };
}

function shown(row: WebhookRow | undefined, nowMs: number): StoredWebhook | null {
  return row ? webhookOf(row, nowMs) : null;
}
