import type { Subscriber } from '../../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { CallInput, CallOutput } from '../../../../src-preload/contract/index.ts';
import type { ImportField, ImportRow } from './import-rows.ts';
import { TEXTS } from './texts.ts';

/** Row of a list with its effect. */
export interface PlannedRow {
  readonly row: ImportRow;
  readonly kind: 'new' | 'changed' | 'same' | 'wrong';
  /** Reason of a wrong row, or what changes. */
  readonly detail: string;
  /** Request for this row; undefined for a row that writes nothing. */
  readonly write: CallInput<'subscribers.import'>['rows'][number] | undefined;
}

type Found = CallOutput<'subscribers.find'>['subscribers'][number];

/** Effect of a row. A row changes the subscriber with its customer number, otherwise the one with its phone number. */
export function planRow(row: ImportRow, found: Found, packageIds: ReadonlyMap<string, string>): PlannedRow {
  const wrong = (detail: string): PlannedRow => ({ row, kind: 'wrong', detail, write: undefined });
  if (row.fault !== '') return wrong(row.fault);
  const unknown = row.packages.filter((name) => !packageIds.has(name));
  if (unknown.length > 0) return wrong(TEXTS.unknownPackages(unknown));
  const { ofNumber, ofPhone } = found;
  if (ofNumber && ofPhone && ofNumber.subscriberId !== ofPhone.subscriberId) return wrong(TEXTS.phoneOf(ofPhone.name));
  const known = ofNumber ?? ofPhone;
  const ids = row.packages.map((name) => packageIds.get(name) ?? '');
  if (!known) {
    if ((row.fields.name ?? '') === '') return wrong(TEXTS.noName);
    return { row, kind: 'new', detail: row.packages.join(', '), write: { fields: row.fields, packageIds: ids } };
  }
  return changeOf(row, known, ids);
}

function changeOf(row: ImportRow, known: Subscriber, ids: readonly string[]): PlannedRow {
  // An empty name keeps the name: a subscriber has one.
  const fields = Object.fromEntries(
    Object.entries(row.fields).filter(
      ([field, value]) => value !== known[field as ImportField] && (field !== 'name' || value !== ''),
    ),
  );
  const attached = ids.filter((id) => !known.packageIds.includes(id));
  const added = row.packages.filter((_, at) => attached.includes(ids[at] ?? ''));
  const detail = [
    ...Object.entries(fields).map(([field, value]) =>
      TEXTS.change(field as ImportField, known[field as ImportField], value),
    ),
    ...(added.length > 0 ? [TEXTS.attach(added)] : []),
  ].join('; ');
  if (detail === '') return { row, kind: 'same', detail, write: undefined };
  const write = { subscriberId: known.subscriberId, fields, packageIds: attached };
  return { row, kind: 'changed', detail, write };
}
