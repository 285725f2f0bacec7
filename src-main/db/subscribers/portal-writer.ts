import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { CHAIN_START } from '../../subscribers/hash-chain.ts';
import type { PortalChange, WrittenObject } from '../../subscribers/subscriber-write.ts';
import type { Connection } from '../database.ts';
import { keyOf, portalOf, rowId, type KeyRow, type PortalRow } from '../subscriber-rows.ts';

/** Maximum number of portals, and of keys of a portal. */
const MAX_PORTALS = 1000;
const MAX_KEYS = 100;

/** Changed object. */
interface Changed {
  /** Null if it was removed. */
  readonly object: WrittenObject;
  readonly isNew: boolean;
}

/** Writes portals and their keys. Call inside a transaction. @param newId generates an id */
export function portalWriter(connection: Connection, newId: (nowMs: number) => bigint) {
  const portalById = connection.prepare<[bigint], PortalRow>('SELECT * FROM portal WHERE id = ?').safeIntegers();
  const portalByName = connection.prepare<[string], PortalRow>('SELECT * FROM portal WHERE name = ?').safeIntegers();
  const portalCount = connection.prepare('SELECT count(*) FROM portal').pluck();
  const addPortal = connection.prepare(
    `INSERT INTO portal (id, name, is_auto_registration, is_disabled, chain_length, chain_hash) VALUES (?, ?, ?, 0, 0, ?)`,
  );
  const setPortal = connection.prepare(
    'UPDATE portal SET name = ?, is_auto_registration = ?, is_disabled = ? WHERE id = ?',
  );
  const keyById = connection
    .prepare<[bigint, bigint], KeyRow>('SELECT * FROM portal_key WHERE portal_id = ? AND id = ?')
    .safeIntegers();
  const keyByName = connection
    .prepare<[bigint, string], KeyRow>('SELECT * FROM portal_key WHERE portal_id = ? AND name = ?')
    .safeIntegers();
  const keyCount = connection.prepare('SELECT count(*) FROM portal_key WHERE portal_id = ?').pluck();
  const addKey = connection.prepare(
    'INSERT INTO portal_key (id, portal_id, name, scopes, hash) VALUES (?, ?, ?, ?, ?)',
  );
  const rotate = connection.prepare(
    'UPDATE portal_key SET previous_hash = hash, previous_until_ms = ?, rotated_ms = ?, hash = ? WHERE id = ?',
  );
  const removeKey = connection.prepare('DELETE FROM portal_key WHERE id = ?');
  const useKey = connection.prepare('UPDATE portal_key SET used_ms = max(coalesce(used_ms, 0), ?) WHERE id = ?');

  const requirePortal = (id: string): PortalRow => {
    const found = portalById.get(rowId(id));
    if (!found) throw new AirdeskError('portal_not_found');
    return found;
  };
  const requireKey = (portal: PortalRow, id: string): KeyRow => {
    const found = keyById.get(portal.id, rowId(id));
    if (!found) throw new AirdeskError('portal_key_not_found');
    return found;
  };
  const requireFreeName = (name: string, ownId: bigint | undefined): void => {
    const other = portalByName.get(name);
    if (other && other.id !== ownId) throw new AirdeskError('portal_exists', undefined, { pointer: '/name' });
  };
  const portalChanged = (id: bigint, isNew: boolean): Changed => {
    const portal = portalById.get(id);
    return { object: portal ? portalOf(portal) : null, isNew };
  };
  const keyChanged = (portal: bigint, id: bigint, nowMs: number, isNew: boolean): Changed => {
    const key = keyById.get(portal, id);
    return { object: key ? keyOf(key, nowMs) : null, isNew };
  };

  return (change: PortalChange, nowMs: number): Changed => {
    switch (change.type) {
      case 'createPortal': {
        requireFreeName(change.name, undefined);
        if (Number(portalCount.get()) >= MAX_PORTALS)
          throw new AirdeskError('too_many_portals', `There are at most ${MAX_PORTALS} portals`);
        const id = newId(nowMs);
        addPortal.run(id, change.name, change.isAutoRegistration ? 1 : 0, CHAIN_START);
        return portalChanged(id, true);
      }
      case 'updatePortal': {
        const before = requirePortal(change.portalId);
        const { name = before.name } = change;
        requireFreeName(name, before.id);
        const flag = (value: boolean | undefined, old: bigint): number | bigint =>
          value === undefined ? old : value ? 1 : 0;
        setPortal.run(
          name,
          flag(change.isAutoRegistration, before.is_auto_registration),
          flag(change.isDisabled, before.is_disabled),
          before.id,
        );
        return portalChanged(before.id, false);
      }
      case 'createKey': {
        const portal = requirePortal(change.portalId);
        if (keyByName.get(portal.id, change.name))
          throw new AirdeskError('portal_key_exists', undefined, { pointer: '/name' });
        if (Number(keyCount.get(portal.id)) >= MAX_KEYS)
          throw new AirdeskError('too_many_keys', `A portal has at most ${MAX_KEYS} keys`);
        const id = newId(nowMs);
        addKey.run(id, portal.id, change.name, JSON.stringify(change.scopes), change.hash);
        return keyChanged(portal.id, id, nowMs, true);
      }
      case 'rotateKey': {
        const portal = requirePortal(change.portalId);
        const { id } = requireKey(portal, change.keyId);
        rotate.run(change.previousUntilMs, nowMs, change.hash, id);
        return keyChanged(portal.id, id, nowMs, false);
      }
      case 'removeKey': {
        const portal = requirePortal(change.portalId);
        removeKey.run(requireKey(portal, change.keyId).id);
        return { object: null, isNew: false };
      }
      case 'useKey':
        useKey.run(nowMs, rowId(change.keyId));
        return { object: null, isNew: false };
      default:
        return change satisfies never;
    }
  };
}
