import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';

/** Fields that stand in columns of their own. */
const COLUMNS: ReadonlySet<string> = new Set(['event', 'event_id', 'utc_ms', 'server', 'media']);

/** The fields of an event that are its own, without those that are empty. */
export function ownFields(event: ServerEvent): readonly (readonly [name: string, text: string])[] {
  return Object.entries(event)
    .filter(([name, value]) => !COLUMNS.has(name) && value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
}

/** An event on one line: what it says in words where it does, then its other fields. */
export function eventLine(event: ServerEvent): string {
  const fields = ownFields(event);
  const words = fields.filter(([name]) => name === 'detail').map(([, text]) => text);
  const others = fields.filter(([name]) => name !== 'detail');
  // "input 1", not "input input 1".
  return [...words, ...others.map(([name, text]) => (text.startsWith(`${name} `) ? text : `${name} ${text}`))].join(
    ' · ',
  );
}
