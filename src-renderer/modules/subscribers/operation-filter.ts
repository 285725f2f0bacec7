import { OPERATION_TYPES, type OperationType } from '../../../src-preload/contract/api/subscribers/operation-object.ts';

/** Filter of the operations log. Empty texts match all operations. */
export interface OperationFilter {
  readonly type: OperationType | '';
  /** Id of a subscriber. */
  readonly subscriber: string;
  /** Id of a package. */
  readonly package: string;
  /** First and last day as `YYYY-MM-DD`, in local time. */
  readonly from: string;
  readonly to: string;
}

/** Filter that matches all operations. */
export const ALL_OPERATIONS: OperationFilter = { type: '', subscriber: '', package: '', from: '', to: '' };

/** Filter as part of a call input. */
export interface OperationRange {
  readonly type?: OperationType;
  readonly subscriberId?: string;
  readonly packageId?: string;
  readonly fromMs?: number;
  readonly beforeMs?: number;
}

/** Reads a filter from URL parameters; invalid values count as absent. */
export function readOperationFilter(query: Readonly<Record<string, unknown>>): OperationFilter {
  const textOf = (key: string, pattern: RegExp): string => {
    const value = query[key];
    return typeof value === 'string' && pattern.test(value) ? value : '';
  };
  const dayOf = (key: string): string => {
    const text = textOf(key, /^\d{4}-\d{2}-\d{2}$/);
    return dayStartMs(text) === undefined ? '' : text;
  };
  return {
    type: OPERATION_TYPES.find((one) => one === query['type']) ?? '',
    subscriber: textOf('subscriber', /^[\w-]{11}\.$/),
    package: textOf('package', /^[\w-]{11}\.$/),
    from: dayOf('from'),
    to: dayOf('to'),
  };
}

/** Converts a filter into call input; the first and last day are included. */
export function rangeOf(filter: OperationFilter): OperationRange {
  const fromMs = dayStartMs(filter.from);
  const beforeMs = dayStartMs(filter.to, 1);
  return {
    ...(filter.type === '' ? {} : { type: filter.type }),
    ...(filter.subscriber === '' ? {} : { subscriberId: filter.subscriber }),
    ...(filter.package === '' ? {} : { packageId: filter.package }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(beforeMs === undefined ? {} : { beforeMs }),
  };
}

/** Local start of a day in epoch milliseconds; undefined for an invalid day. @param later number of days to add */
export function dayStartMs(day: string, later = 0): number | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time = new Date(year, month - 1, date);
  // The calendar has no such day, for example 31 February.
  if (time.getMonth() !== month - 1 || time.getFullYear() !== year) return undefined;
  time.setDate(date + later);
  return time.getTime() < 0 ? 0 : time.getTime();
}
