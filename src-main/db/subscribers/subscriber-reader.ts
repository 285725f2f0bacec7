import type { Statement } from 'better-sqlite3';
import type {
  Package,
  Portal,
  PortalKey,
  Subscriber,
  Subscription,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type {
  FoundPage,
  SearchPosition,
  Page,
  PageRequest,
  SubscriberKey,
  SubscriberQuery,
  SubscribersOfKey,
  SubscriptionQuery,
} from '../../subscribers/subscriber-query.ts';
import { printId } from '../../subscribers/snowflake.ts';
import type { Connection } from '../database.ts';
import {
  createdAt,
  keyOf,
  packageOf,
  planOf,
  portalOf,
  rowId,
  subscriberOf,
  type KeyRow,
  type PackageRow,
  type PlanRow,
  type PortalRow,
  type SubscriberRow,
} from '../subscriber-rows.ts';

/** Key of a request, with the portal to which it gives access. */
export interface OpenedPortal {
  readonly portalId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: PortalKey['scopes'];
  /** Last use, epoch milliseconds; null for never. */
  readonly usedMs: number | null;
  /** Expiry of a replaced secret, epoch milliseconds; null for the current one. */
  readonly untilMs: number | null;
}

interface SubscriptionRow extends PlanRow {
  readonly subscriber_id: bigint;
}

/** Subscription whose planned start or end has come. */
export interface DuePlan {
  readonly portalId: string;
  readonly subscriberId: string;
  readonly packageId: string;
}

/** Character that sorts after all others. */
const LAST_CHARACTER = '\u{10ffff}';

type Value = bigint | string | number;

const SUBSCRIBER = 's.id, s.name, s.phone_country_code, s.phone, s.is_disabled, s.customer_number, s.note';
const OF_CUSTOMER = `SELECT ${SUBSCRIBER} FROM subscriber s INDEXED BY subscriber_number
  WHERE s.portal_id = ? AND s.customer_number <> '' AND s.customer_number = ?`;
const OF_PHONE = `SELECT ${SUBSCRIBER} FROM subscriber s INDEXED BY subscriber_phone
  WHERE s.portal_id = ? AND s.phone <> '' AND s.phone = ? AND s.phone_country_code = ?`;
const PLAN = 'id, package_id, starts_ms, ends_ms, next_ms';
const SUBSCRIPTION = `t.id, t.subscriber_id, t.package_id, n.starts_ms, n.ends_ms, n.next_ms FROM subscription t
  LEFT JOIN subscription_plan n USING (portal_id, subscriber_id, package_id)`;
const PACKAGE = 'id, name, is_free, streams, max_sessions';

/** Reads portals, keys, subscribers, packages and subscriptions. All data except portals is read within one portal. */
export class SubscriberReader {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement<Value[]>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All portals, by name. */
  portals(): readonly Portal[] {
    return this.#all<PortalRow>('SELECT * FROM portal ORDER BY name').map(portalOf);
  }

  portal(portalId: string): Portal | undefined {
    const row = this.#get<PortalRow>('SELECT * FROM portal WHERE id = ?', rowId(portalId));
    return row && portalOf(row);
  }

  /** Keys of a portal, by name. */
  keys(portalId: string, nowMs: number): readonly PortalKey[] {
    const rows = this.#all<KeyRow>('SELECT * FROM portal_key WHERE portal_id = ? ORDER BY name', rowId(portalId));
    return rows.map((row) => keyOf(row, nowMs));
  }

  /** Portal of a key, even if the key was replaced and has expired, or the portal is disabled. */
  portalOfKey(hash: string): string | undefined {
    const sql = 'SELECT portal_id FROM portal_key WHERE hash = ? OR previous_hash = ?';
    const row = this.#get<Pick<KeyRow, 'portal_id'>>(sql, hash, hash);
    return row && printId(row.portal_id);
  }

  /**
   * Finds the portal of a key; undefined for an unknown or invalid key.
   * @param hash SHA-256 of the secret, hexadecimal
   */
  open(hash: string, nowMs: number): OpenedPortal | undefined {
    const row =
      this.#get<KeyRow>('SELECT * FROM portal_key WHERE hash = ?', hash) ??
      this.#get<KeyRow>('SELECT * FROM portal_key WHERE previous_hash = ? AND previous_until_ms > ?', hash, nowMs);
    if (!row) return undefined;
    const portal = this.portal(printId(row.portal_id));
    if (!portal || portal.isDisabled) return undefined;
    const { keyId, name: keyName, scopes } = keyOf(row, nowMs);
    return {
      portalId: portal.portalId,
      keyId,
      keyName,
      scopes,
      usedMs: row.used_ms === null ? null : Number(row.used_ms),
      untilMs: row.hash === hash ? null : Number(row.previous_until_ms),
    };
  }

  /** Subscribers in the order of their creation. */
  subscribers(portalId: string, query: SubscriberQuery): Page<Subscriber> {
    const portal = rowId(portalId);
    const { phoneCountryCode, phone, packageId } = query;
    if (phone !== undefined) return this.#ofPhone(portal, phone, query);
    // No index contains the rows of a country code together.
    if (phoneCountryCode !== undefined) throw new Error('phone_country_code requires phone_number');
    const page =
      packageId === undefined
        ? this.#page<SubscriberRow>(
            `SELECT ${SUBSCRIBER} FROM subscriber s WHERE s.portal_id = ? AND s.id > ? ORDER BY s.id LIMIT ?`,
            [portal],
            query,
          )
        : this.#page<SubscriberRow>(
            `SELECT ${SUBSCRIBER} FROM subscription t
             CROSS JOIN subscriber s ON s.portal_id = t.portal_id AND s.id = t.subscriber_id
             WHERE t.portal_id = ? AND t.package_id = ? AND t.subscriber_id > ? ORDER BY t.subscriber_id LIMIT ?`,
            [portal, rowId(packageId)],
            query,
          );
    return { ...page, items: page.items.map((row) => this.#subscriberOf(portal, row)) };
  }

  /** Subscribers with one phone number, at most one per country. They are few, so they are sorted in memory. */
  #ofPhone(portal: bigint, phone: string, query: SubscriberQuery): Page<Subscriber> {
    const { phoneCountryCode, packageId } = query;
    const page = this.#page<SubscriberRow>(
      `SELECT ${SUBSCRIBER} FROM subscriber s INDEXED BY subscriber_phone
       WHERE s.portal_id = ? AND s.phone <> '' AND s.phone = ? ${phoneCountryCode === undefined ? '' : 'AND s.phone_country_code = ?'}
       ${packageId === undefined ? '' : 'AND EXISTS (SELECT 1 FROM subscription t WHERE t.portal_id = s.portal_id AND t.subscriber_id = s.id AND t.package_id = ?)'}
       AND s.id > ? ORDER BY s.id LIMIT ?`,
      [
        portal,
        phone,
        ...(phoneCountryCode === undefined ? [] : [phoneCountryCode]),
        ...(packageId === undefined ? [] : [rowId(packageId)]),
      ],
      query,
    );
    return { ...page, items: page.items.map((row) => this.#subscriberOf(portal, row)) };
  }

  /**
   * Finds the subscriber with this customer number, and subscribers whose name or number starts with a text, ignoring
   * the case of A to Z. A page may be shorter than requested although more follow, because subscribers that were
   * found by name are left out of the search by number.
   */
  subscribersLike(
    portalId: string,
    text: string,
    after: SearchPosition | undefined,
    limit: number,
  ): FoundPage<Subscriber> {
    const portal = rowId(portalId);
    const named = after?.by === 'phone' ? [] : this.#named(portal, text, after, limit + 1);
    const names = named.slice(0, limit);
    const isFull = named.length > limit;
    const limitLeft = limit - names.length;
    const numbered = isFull
      ? []
      : this.#numbered(portal, text, after?.by === 'phone' ? after : undefined, limitLeft + 1);
    const numbers = numbered.slice(0, limitLeft);
    const isMore = isFull || numbered.length > limitLeft;
    const [lastName, lastNumber] = [names.at(-1), numbers.at(-1)];
    const prefix = lowerCased(text);
    const likely = [...names, ...numbers.filter(({ name }) => !lowerCased(name).startsWith(prefix))];
    const [customer] = after ? [] : this.#all<SubscriberRow>(OF_CUSTOMER, portal, text);
    const isListed = !customer || lowerCased(customer.name).startsWith(prefix) || customer.phone.startsWith(text);
    const rows = isListed ? likely : [customer, ...likely];
    return {
      items: rows.map((row) => this.#subscriberOf(portal, row)),
      next: !isMore
        ? undefined
        : lastNumber
          ? { by: 'phone', value: lastNumber.phone, rest: lastNumber.phone_country_code }
          : lastName && { by: 'name', value: lastName.name, rest: printId(lastName.id) },
    };
  }

  subscribersOfKeys(portalId: string, keys: readonly SubscriberKey[]): readonly SubscribersOfKey[] {
    const portal = rowId(portalId);
    const shown = (row: SubscriberRow | undefined): Subscriber | null => (row ? this.#subscriberOf(portal, row) : null);
    return keys.map(({ customerNumber = '', phoneCountryCode = '', phone = '' }) => ({
      ofNumber: shown(this.#get<SubscriberRow>(OF_CUSTOMER, portal, customerNumber)),
      ofPhone: shown(this.#get<SubscriberRow>(OF_PHONE, portal, phone, phoneCountryCode)),
    }));
  }

  #named(portal: bigint, text: string, after: SearchPosition | undefined, limit: number): readonly SubscriberRow[] {
    const from = `SELECT ${SUBSCRIBER} FROM subscriber s INDEXED BY subscriber_name WHERE s.portal_id = ?`;
    const end = `${text}${LAST_CHARACTER}`;
    if (!after)
      return this.#all<SubscriberRow>(
        `${from} AND s.name >= ? COLLATE NOCASE AND s.name < ? COLLATE NOCASE ORDER BY s.name COLLATE NOCASE, s.id LIMIT ?`,
        ...[portal, text, end, limit],
      );
    const same = this.#all<SubscriberRow>(
      `${from} AND s.name = ? COLLATE NOCASE AND s.id > ? ORDER BY s.id LIMIT ?`,
      ...[portal, after.value, rowId(after.rest), limit],
    );
    const others = this.#all<SubscriberRow>(
      `${from} AND s.name > ? COLLATE NOCASE AND s.name < ? COLLATE NOCASE ORDER BY s.name COLLATE NOCASE, s.id LIMIT ?`,
      ...[portal, after.value, end, limit - same.length],
    );
    return [...same, ...others];
  }

  #numbered(portal: bigint, text: string, after: SearchPosition | undefined, limit: number): readonly SubscriberRow[] {
    const from = `SELECT ${SUBSCRIBER} FROM subscriber s INDEXED BY subscriber_phone WHERE s.portal_id = ? AND s.phone <> ''`;
    const end = `${text}${LAST_CHARACTER}`;
    if (!after)
      return this.#all<SubscriberRow>(
        `${from} AND s.phone >= ? AND s.phone < ? ORDER BY s.phone, s.phone_country_code LIMIT ?`,
        ...[portal, text, end, limit],
      );
    const same = this.#all<SubscriberRow>(
      `${from} AND s.phone = ? AND s.phone_country_code > ? ORDER BY s.phone_country_code LIMIT ?`,
      ...[portal, after.value, after.rest, limit],
    );
    const others = this.#all<SubscriberRow>(
      `${from} AND s.phone > ? AND s.phone < ? ORDER BY s.phone, s.phone_country_code LIMIT ?`,
      ...[portal, after.value, end, limit - same.length],
    );
    return [...same, ...others];
  }

  subscriber(portalId: string, subscriberId: string): Subscriber | undefined {
    const portal = rowId(portalId);
    const row = this.#get<SubscriberRow>(
      `SELECT ${SUBSCRIBER} FROM subscriber s WHERE s.portal_id = ? AND s.id = ?`,
      ...[portal, rowId(subscriberId)],
    );
    return row && this.#subscriberOf(portal, row);
  }

  /** Packages in the order of their creation. */
  packages(portalId: string, portion: PageRequest): Page<Package> {
    const sql = `SELECT ${PACKAGE} FROM package WHERE portal_id = ? AND id > ? ORDER BY id LIMIT ?`;
    const page = this.#page<PackageRow>(sql, [rowId(portalId)], portion);
    return { ...page, items: page.items.map(packageOf) };
  }

  /** Packages whose name starts with a text, by name, ignoring the case of A to Z. */
  packagesLike(portalId: string, text: string, limit: number): Page<Package> {
    const rows = this.#all<PackageRow>(
      `SELECT ${PACKAGE} FROM package
       WHERE portal_id = ? AND name >= ? COLLATE NOCASE AND name < ? COLLATE NOCASE ORDER BY name COLLATE NOCASE, id LIMIT ?`,
      ...[rowId(portalId), text, `${text}${LAST_CHARACTER}`, limit + 1],
    );
    return { items: rows.slice(0, limit).map(packageOf), hasMore: rows.length > limit };
  }

  /** Existing packages with these ids. */
  packagesOf(portalId: string, packageIds: readonly string[]): readonly Package[] {
    return packageIds.flatMap((packageId) => this.package(portalId, packageId) ?? []);
  }

  package(portalId: string, packageId: string): Package | undefined {
    const sql = `SELECT ${PACKAGE} FROM package WHERE portal_id = ? AND id = ?`;
    const row = this.#get<PackageRow>(sql, rowId(portalId), rowId(packageId));
    return row && packageOf(row);
  }

  /** Subscriptions in the order of their creation. The id of a subscription is the id of its operation. */
  subscriptions(portalId: string, query: SubscriptionQuery): Page<Subscription & { readonly id: string }> {
    const { subscriberId, packageId } = query;
    const conditions = [
      ...(subscriberId === undefined ? [] : [['subscriber_id = ?', rowId(subscriberId)] as const]),
      ...(packageId === undefined ? [] : [['package_id = ?', rowId(packageId)] as const]),
    ];
    const page = this.#page<SubscriptionRow>(
      `SELECT ${SUBSCRIPTION} WHERE t.portal_id = ?
       ${conditions.map(([condition]) => `AND t.${condition}`).join(' ')} AND t.id > ? ORDER BY t.id LIMIT ?`,
      [rowId(portalId), ...conditions.map(([, value]) => value)],
      query,
    );
    return { ...page, items: page.items.map((row) => ({ ...subscriptionOf(row, true), id: printId(row.id) })) };
  }

  /** A running or planned subscription. */
  subscription(portalId: string, subscriberId: string, packageId: string): Subscription | undefined {
    const ids = [rowId(portalId), rowId(subscriberId), rowId(packageId)];
    const row = this.#get<SubscriptionRow>(
      `SELECT ${SUBSCRIPTION} WHERE t.portal_id = ? AND t.subscriber_id = ? AND t.package_id = ?`,
      ...ids,
    );
    if (row) return subscriptionOf(row, true);
    const plan = this.#get<SubscriptionRow>(
      `SELECT subscriber_id, ${PLAN} FROM subscription_plan
       WHERE portal_id = ? AND subscriber_id = ? AND package_id = ? AND next_ms IS NOT NULL`,
      ...ids,
    );
    return plan && subscriptionOf(plan, false);
  }

  /** Subscriptions whose planned start or end has come, the earliest first, up to a limit. */
  duePlans(nowMs: number, limit: number): readonly DuePlan[] {
    const rows = this.#all<{ portal_id: bigint; subscriber_id: bigint; package_id: bigint }>(
      'SELECT portal_id, subscriber_id, package_id FROM subscription_plan WHERE next_ms <= ? ORDER BY next_ms LIMIT ?',
      ...[nowMs, limit],
    );
    return rows.map((row) => ({
      portalId: printId(row.portal_id),
      subscriberId: printId(row.subscriber_id),
      packageId: printId(row.package_id),
    }));
  }

  /** Earliest planned start or end of all portals that was not applied yet, in epoch milliseconds. */
  nextPlanMs(): number | undefined {
    const row = this.#get<{ readonly ms: bigint | null }>(
      'SELECT min(next_ms) AS ms FROM subscription_plan WHERE next_ms IS NOT NULL',
    );
    return row?.ms === null || row === undefined ? undefined : Number(row.ms);
  }

  #subscriberOf(portal: bigint, row: SubscriberRow): Subscriber {
    const plans = this.#all<PlanRow>(
      `SELECT ${PLAN} FROM subscription_plan WHERE portal_id = ? AND subscriber_id = ? ORDER BY package_id`,
      ...[portal, row.id],
    );
    return subscriberOf(row, this.#packageIds(portal, row.id), plans);
  }

  #packageIds(portal: bigint, subscriber: bigint): readonly bigint[] {
    const rows = this.#all<{ readonly package_id: bigint }>(
      'SELECT package_id FROM subscription WHERE portal_id = ? AND subscriber_id = ? ORDER BY package_id',
      ...[portal, subscriber],
    );
    return rows.map(({ package_id: id }) => id);
  }

  #page<Row>(sql: string, values: readonly Value[], { afterId, limit }: PageRequest): Page<Row> {
    const rows = this.#all<Row>(sql, ...values, afterId === undefined ? -1n : rowId(afterId), limit + 1);
    return { items: rows.slice(0, limit), hasMore: rows.length > limit };
  }

  #all<Row>(sql: string, ...values: readonly Value[]): readonly Row[] {
    // The caller's statement selects these columns.
    return this.#statement(sql).all(...values) as readonly Row[];
  }

  #get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    // The caller's statement selects these columns.
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  #statement(sql: string): Statement<Value[]> {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = this.#connection.prepare<Value[]>(sql).safeIntegers();
    this.#statements.set(sql, statement);
    return statement;
  }
}

function subscriptionOf(row: SubscriptionRow, isRunning: boolean): Subscription {
  return {
    subscriberId: printId(row.subscriber_id),
    createdAt: createdAt(row.id),
    ...planOf(row, isRunning),
  };
}

/** Lower-cases A to Z only, as the collation NOCASE of SQLite does. */
function lowerCased(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
