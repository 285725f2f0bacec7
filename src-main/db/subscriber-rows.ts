import {
  OPERATION_TYPES,
  type Operation,
  type OperationType,
} from '../../src-preload/contract/api/subscribers/operation-object.ts';
import type {
  Package,
  Portal,
  PortalKey,
  Subscriber,
  SubscriptionPlan,
} from '../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { isoTime } from '../lib/clock.ts';
import { printId, printOperationId, readId, timeOfId } from '../subscribers/snowflake.ts';

/** Row of a portal. All rows come from statements with safe integers: every whole number is a bigint. */
export interface PortalRow {
  readonly id: bigint;
  readonly name: string;
  readonly is_auto_registration: bigint;
  readonly is_disabled: bigint;
  readonly chain_length: bigint;
  readonly chain_hash: Uint8Array;
}

export interface KeyRow {
  readonly id: bigint;
  readonly portal_id: bigint;
  readonly name: string;
  readonly scopes: string;
  readonly hash: string;
  readonly previous_hash: string | null;
  readonly previous_until_ms: bigint | null;
  readonly rotated_ms: bigint | null;
  readonly used_ms: bigint | null;
}

export interface SubscriberRow {
  readonly id: bigint;
  readonly name: string;
  readonly phone_country_code: string;
  readonly phone: string;
  readonly is_disabled: bigint;
  readonly customer_number: string;
  readonly note: string;
}

export interface PlanRow {
  readonly id: bigint;
  readonly package_id: bigint;
  readonly starts_ms: bigint | null;
  readonly ends_ms: bigint | null;
  /** Time of the next planned step; null after the last one. */
  readonly next_ms: bigint | null;
}

export interface PackageRow {
  readonly id: bigint;
  readonly name: string;
  readonly is_free: bigint;
  readonly streams: string;
  readonly max_sessions: bigint | null;
}

export interface OperationRow {
  readonly portal_id: bigint;
  readonly id: bigint;
  readonly type: bigint;
  readonly subscriber_id: bigint | null;
  readonly package_id: bigint | null;
  readonly sequence: bigint;
  readonly payload: string;
  readonly hash: Uint8Array;
}

/** Row id for an id in a request. An invalid id gives -1, which no row has. */
export function rowId(text: string): bigint {
  return readId(text) ?? -1n;
}

/** Creation time of a row, as the APIs show it. */
export function createdAt(id: bigint): string {
  return isoTime(timeOfId(id));
}

export function portalOf(row: PortalRow): Portal {
  return {
    portalId: printId(row.id),
    name: row.name,
    isAutoRegistration: row.is_auto_registration === 1n,
    isDisabled: row.is_disabled === 1n,
    createdAt: createdAt(row.id),
  };
}

/** Key as the APIs show it. @param nowMs decides whether the previous secret is still valid */
export function keyOf(row: KeyRow, nowMs: number): PortalKey {
  const time = (ms: bigint | null): string | null => (ms === null ? null : isoTime(Number(ms)));
  const until = row.previous_until_ms;
  return {
    keyId: printId(row.id),
    name: row.name,
    // The column is written from a list of scopes.
    scopes: JSON.parse(row.scopes) as PortalKey['scopes'],
    createdAt: createdAt(row.id),
    lastUsedAt: time(row.used_ms),
    rotatedAt: time(row.rotated_ms),
    previousUntil: until !== null && Number(until) > nowMs ? time(until) : null,
  };
}

/** Planned period of a subscription. @param isRunning whether it has started and not ended */
export function planOf(row: PlanRow, isRunning: boolean): SubscriptionPlan {
  return {
    packageId: printId(row.package_id),
    startsAt: row.starts_ms === null ? null : isoTime(Number(row.starts_ms)),
    endsAt: row.ends_ms === null ? null : isoTime(Number(row.ends_ms)),
    state: isRunning ? 'active' : row.next_ms === null ? 'ended' : 'planned',
  };
}

export function subscriberOf(row: SubscriberRow, packageIds: readonly bigint[], plans: readonly PlanRow[]): Subscriber {
  return {
    subscriberId: printId(row.id),
    name: row.name,
    phoneCountryCode: row.phone_country_code,
    phone: row.phone,
    customerNumber: row.customer_number,
    note: row.note,
    isDisabled: row.is_disabled === 1n,
    createdAt: createdAt(row.id),
    packageIds: packageIds.map(printId),
    plans: plans.map((plan) => planOf(plan, packageIds.includes(plan.package_id))),
  };
}

export function packageOf(row: PackageRow): Package {
  return {
    packageId: printId(row.id),
    name: row.name,
    isFree: row.is_free === 1n,
    // The column is written from a list of texts.
    streams: JSON.parse(row.streams) as string[],
    maxSessions: row.max_sessions === null ? null : Number(row.max_sessions),
    createdAt: createdAt(row.id),
  };
}

/** Stored number of a type of operation. */
export function typeNumber(type: OperationType): number {
  return OPERATION_TYPES.indexOf(type);
}

export function operationOf(row: OperationRow): Operation {
  const at = createdAt(row.id);
  const known = {
    operationId: printOperationId(row.id),
    type: OPERATION_TYPES[Number(row.type)],
    portalId: printId(row.portal_id),
    subscriberId: row.subscriber_id === null ? null : printId(row.subscriber_id),
    packageId: row.package_id === null ? null : printId(row.package_id),
    createdAt: at,
    updatedAt: at,
    payload: JSON.parse(row.payload) as unknown,
  };
  // The log only contains operations of the contract.
  return known as Operation;
}
