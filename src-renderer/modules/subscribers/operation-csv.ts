import type { Operation } from '../../../src-preload/contract/api/operation-object.ts';

const COLUMNS = ['operationId', 'type', 'createdAt', 'subscriberId', 'packageId'] as const;

/** The head of a file of operations as CSV (RFC 4180). */
export const CSV_HEAD = `${COLUMNS.join(',')},payload\r\n`;

/** An operation as a line of it; the payload is JSON. */
export function csvLine(operation: Operation): string {
  const cells = [...COLUMNS.map((name) => operation[name] ?? ''), JSON.stringify(operation.payload)];
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
