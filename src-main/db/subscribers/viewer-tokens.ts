import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ViewerToken } from '../../../src-preload/contract/api/subscribers/viewer-token-objects.ts';
import { printId, readId } from '../../subscribers/snowflake.ts';
import { viewerAccess, type ViewerAccess, type ViewerTokenChange } from '../../subscribers/viewer.ts';
import type { Connection } from '../database.ts';
import { createdAt, packageOf, rowId, type PackageRow } from '../subscriber-rows.ts';

/** Maximum number of tokens of a subscriber. */
const MAX_TOKENS = 100;

interface TokenRow {
  readonly id: bigint;
  readonly name: string;
}

interface HolderRow {
  readonly portal_id: bigint;
  readonly portal_name: string;
  readonly subscriber_id: bigint;
  readonly is_disabled: bigint;
  readonly is_portal_disabled: bigint;
}

interface PackageParameters {
  readonly portal: bigint;
  readonly subscriber: bigint;
  readonly nowMs: number;
}

/** Reads tokens of viewers, and the streams that their holders may play. */
export class ViewerTokens {
  readonly #list;
  readonly #holder;
  readonly #packages;

  constructor(connection: Connection) {
    this.#list = connection
      .prepare<[bigint, bigint], TokenRow>(
        'SELECT id, name FROM viewer_token WHERE portal_id = ? AND subscriber_id = ? ORDER BY id',
      )
      .safeIntegers();
    this.#holder = connection
      .prepare<[string], HolderRow>(
        `SELECT t.portal_id, p.name AS portal_name, t.subscriber_id, s.is_disabled, p.is_disabled AS is_portal_disabled
         FROM viewer_token t JOIN subscriber s ON s.portal_id = t.portal_id AND s.id = t.subscriber_id
         JOIN portal p ON p.id = t.portal_id WHERE t.hash = ?`,
      )
      .safeIntegers();
    this.#packages = connection
      .prepare<PackageParameters, PackageRow>(
        `SELECT id, name, is_free, streams, max_sessions FROM package WHERE portal_id = @portal AND id IN (
           SELECT t.package_id FROM subscription t LEFT JOIN subscription_plan n USING (portal_id, subscriber_id, package_id)
             WHERE t.portal_id = @portal AND t.subscriber_id = @subscriber AND (n.ends_ms IS NULL OR n.ends_ms > @nowMs)
           UNION SELECT package_id FROM subscription_plan
             WHERE portal_id = @portal AND subscriber_id = @subscriber AND starts_ms <= @nowMs
               AND (ends_ms IS NULL OR ends_ms > @nowMs))`,
      )
      .safeIntegers();
  }

  /** Tokens of a subscriber, in the order of their creation. */
  viewerTokens(portalId: string, subscriberId: string): readonly ViewerToken[] {
    return this.#list.all(rowId(portalId), rowId(subscriberId)).map(viewerTokenOf);
  }

  /**
   * Rights of a token; undefined if it is unknown or belongs to another portal.
   * @param hash SHA-256 of the token, hexadecimal
   * @param portal id or name of the portal; undefined for any
   * @param names requested streams and files
   * @param nowMs planned subscriptions count from their start to their end, even before the start and the end are
   * recorded
   */
  viewer(hash: string, portal: string | undefined, names: readonly string[], nowMs: number): ViewerAccess | undefined {
    const holder = this.#holder.get(hash);
    if (!holder) return undefined;
    if (portal !== undefined && holder.portal_name !== portal && readId(portal) !== holder.portal_id) return undefined;
    const parameters = { portal: holder.portal_id, subscriber: holder.subscriber_id, nowMs };
    const packages = this.#packages.all(parameters).map(packageOf);
    const facts = {
      subscriberId: printId(holder.subscriber_id),
      isDisabled: holder.is_disabled === 1n,
      isPortalDisabled: holder.is_portal_disabled === 1n,
      packages,
    };
    return viewerAccess(facts, names);
  }
}

/** Writes tokens of viewers. Call inside a transaction. @param newId generates an id */
export function viewerTokenWriter(connection: Connection, newId: (nowMs: number) => bigint) {
  const subscriber = connection.prepare<[bigint, bigint]>('SELECT 1 FROM subscriber WHERE portal_id = ? AND id = ?');
  const count = connection
    .prepare<[bigint, bigint], number>('SELECT count(*) FROM viewer_token WHERE portal_id = ? AND subscriber_id = ?')
    .pluck();
  const add = connection.prepare(
    'INSERT INTO viewer_token (portal_id, subscriber_id, id, name, hash) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = connection.prepare('DELETE FROM viewer_token WHERE portal_id = ? AND subscriber_id = ? AND id = ?');
  return (change: ViewerTokenChange, nowMs: number): ViewerToken | null => {
    const holder = [rowId(change.portalId), rowId(change.subscriberId)] as const;
    if (subscriber.get(...holder) === undefined) throw new AirdeskError('subscriber_not_found');
    if (change.type === 'removeToken') {
      if (remove.run(...holder, rowId(change.tokenId)).changes === 0) throw new AirdeskError('viewer_token_not_found');
      return null;
    }
    if ((count.get(...holder) ?? 0) >= MAX_TOKENS)
      throw new AirdeskError('too_many_viewer_tokens', `A subscriber has at most ${MAX_TOKENS} tokens`);
    const id = newId(nowMs);
    add.run(...holder, id, change.name, change.hash);
    return viewerTokenOf({ id, name: change.name });
  };
}

function viewerTokenOf({ id, name }: TokenRow): ViewerToken {
  return { tokenId: printId(id), name, createdAt: createdAt(id) };
}
