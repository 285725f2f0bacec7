import type { Subscriber } from '../../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { CallInput, CallOutput } from '../../../../src-preload/contract/index.ts';
import { localIso, type ImportField, type ImportRow } from './import-rows.ts';
import { TEXTS } from './texts.ts';

/** Row of an imported list, with its effect. */
export interface PlannedRow {
  readonly row: ImportRow;
  readonly kind: 'new' | 'changed' | 'same' | 'invalid';
  /** Reason why the row is invalid, or a description of the changes. */
  readonly detail: string;
  /** Request for this row; undefined for a row that writes nothing. */
  readonly write: CallInput<'subscribers.import'>['rows'][number] | undefined;
}

type Found = CallOutput<'subscribers.find'>['subscribers'][number];

/** Effect of a row. A row changes the subscriber with its customer number, otherwise the one with its phone number. */
export function planRow(row: ImportRow, found: Found, packageIds: ReadonlyMap<string, string>): PlannedRow {
  const invalid = (detail: string): PlannedRow => ({ row, kind: 'invalid', detail, write: undefined });
  if (row.fault !== '') return invalid(row.fault);
  const unknown = row.packages.filter((name) => !packageIds.has(name));
  if (unknown.length > 0) return invalid(TEXTS.unknownPackages(unknown));
  const { ofNumber, ofPhone } = found;
  if (ofNumber && ofPhone && ofNumber.subscriberId !== ofPhone.subscriberId)
    return invalid(TEXTS.phoneOf(ofPhone.name));
  const known = ofNumber ?? ofPhone;
  const ids = row.packages.map((name) => packageIds.get(name) ?? '');
  if (!known) {
    if ((row.fields.name ?? '') === '') return invalid(TEXTS.noName);
    const detail = [row.packages.join(', '), periodText(row)].join(' ').trim();
    return { row, kind: 'new', detail, write: { fields: row.fields, packageIds: ids, ...periodOf(row) } };
  }
  return changeOf(row, known, ids);
}

function changeOf(row: ImportRow, known: Subscriber, ids: readonly string[]): PlannedRow {
  // An empty name does not change the name, because a subscriber must have one.
  const fields = Object.fromEntries(
    Object.entries(row.fields).filter(
      ([field, value]) => value !== known[field as ImportField] && (field !== 'name' || value !== ''),
    ),
  );
  const attached = ids.filter((id) => changesPeriod(row, known, id));
  const added = row.packages.filter((_, at) => attached.includes(ids[at] ?? ''));
  const detail = [
    ...Object.entries(fields).map(([field, value]) =>
      TEXTS.change(field as ImportField, known[field as ImportField], value),
    ),
    ...(added.length > 0 ? [TEXTS.attach(added, periodText(row))] : []),
  ].join('; ');
  if (detail === '') return { row, kind: 'same', detail, write: undefined };
  const period = attached.length > 0 ? periodOf(row) : {};
  const write = { subscriberId: known.subscriberId, fields, packageIds: attached, ...period };
  return { row, kind: 'changed', detail, write };
}

/**
 * Whether a row starts a subscription, or changes its planned period. A row without a period does not change a planned period.
 */
function changesPeriod(row: ImportRow, { packageIds, plans }: Subscriber, id: string): boolean {
  const { startsAt, endsAt } = periodOf(row).period ?? {};
  const plan = plans.find(({ packageId, state }) => packageId === id && state !== 'ended');
  if (!plan && !packageIds.includes(id)) return true;
  const isOtherStart = plan?.state === 'planned' && startsAt !== undefined && plan.startsAt !== startsAt;
  return isOtherStart || (endsAt !== undefined && plan?.endsAt !== endsAt);
}

/** Period of a request; none for a row without one. */
function periodOf({ period: { from, until } }: ImportRow): {
  readonly period?: { readonly startsAt?: string; readonly endsAt?: string };
} {
  if (from === '' && until === '') return {};
  return {
    period: {
      ...(from === '' ? {} : { startsAt: localIso(from) }),
      ...(until === '' ? {} : { endsAt: localIso(until) }),
    },
  };
}

function periodText({ period: { from, until } }: ImportRow): string {
  return TEXTS.period(from, until);
}
