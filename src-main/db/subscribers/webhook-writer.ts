import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Webhook } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import type { WebhookChange } from '../../subscribers/webhook.ts';
import type { Connection } from '../database.ts';
import { rowId } from './subscriber-rows.ts';
import { webhookOf, type WebhookRow } from './webhook-rows.ts';

/** Webhooks of a portal. */
const MOST_WEBHOOKS = 20;

/** Writes webhooks. To be called inside of a transaction. @param newId makes an id */
export function webhookWriter(connection: Connection, newId: (nowMs: number) => bigint) {
  const portal = connection.prepare<[bigint], bigint>('SELECT id FROM portal WHERE id = ?').pluck().safeIntegers();
  const newest = connection
    .prepare<[bigint], bigint | null>(
      'SELECT coalesce((SELECT max(id) FROM operation WHERE portal_id = p.id), p.moved_id) FROM portal p WHERE p.id = ?',
    )
    .pluck()
    .safeIntegers();
  const byId = connection
    .prepare<[bigint, bigint], WebhookRow>('SELECT * FROM webhook WHERE portal_id = ? AND id = ?')
    .safeIntegers();
  const count = connection.prepare('SELECT count(*) FROM webhook WHERE portal_id = ?').pluck();
  const add = connection.prepare(
    `INSERT INTO webhook
       (id, portal_id, url, is_private_allowed, is_disabled, secret, cursor_id, delivered, dead_letters, failures)
     VALUES (?, ?, ?, ?, 0, ?, ?, 0, 0, 0)`,
  );
  // What was changed is tried at once.
  const set = connection.prepare(
    `UPDATE webhook SET url = ?, is_private_allowed = ?, is_disabled = ?, failures = 0, next_attempt_ms = NULL
     WHERE id = ?`,
  );
  const rotate = connection.prepare(
    'UPDATE webhook SET previous_secret = secret, previous_until_ms = ?, secret = ? WHERE id = ?',
  );
  const remove = connection.prepare('DELETE FROM webhook WHERE id = ?');
  const progress = connection.prepare(
    `UPDATE webhook SET cursor_id = ?, delivered = delivered + ?, dead_letters = dead_letters + ?, failures = ?,
       next_attempt_ms = ?, last_error = ?, is_disabled = max(is_disabled, ?),
       delivered_ms = iif(? > 0, ?, delivered_ms)
     WHERE id = ? AND url = ?`,
  );

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

  return (change: WebhookChange, nowMs: number): Webhook | null => {
    switch (change.type) {
      case 'createWebhook': {
        const own = requirePortal(change.portalId);
        if (Number(count.get(own)) >= MOST_WEBHOOKS)
          throw new AirdeskError('too_many_webhooks', `A portal has at most ${MOST_WEBHOOKS} webhooks`);
        const id = newId(nowMs);
        // It gets what is recorded from now on.
        add.run(id, own, change.url, change.isPrivateAllowed ? 1 : 0, change.secret, newest.get(own) ?? 0n);
        return shown(byId.get(own, id), nowMs);
      }
      case 'updateWebhook': {
        const before = requireWebhook(change.portalId, change.webhookId);
        const flag = (value: boolean | undefined, old: bigint): number | bigint =>
          value === undefined ? old : value ? 1 : 0;
        set.run(
          change.url ?? before.url,
          flag(change.isPrivateAllowed, before.is_private_allowed),
          flag(change.isDisabled, before.is_disabled),
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
        progress.run(
          ...[rowId(change.cursor), delivered, deadLetters, failures, next, lastError, isGone ? 1 : 0],
          ...[delivered, nowMs, rowId(change.webhookId), change.url],
        );
        return null;
      }
      default:
        return change satisfies never;
    }
  };
}

function shown(row: WebhookRow | undefined, nowMs: number): Webhook | null {
  return row ? webhookOf(row, nowMs) : null;
}
