import { roleAllows, type Role } from '../../../src-preload/contract/operations/roles.ts';

/** Prefixes of stream names in a text, separated by commas or spaces, without slashes at the end. */
export function prefixesIn(text: string): string[] {
  const names = text.split(/[\s,;]+/).map((part) => part.replace(/[/…*]+$/, ''));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether the main page of a role is hidden from a person who is limited to some streams, because it shows all streams. */
export function losesMainPageIfLimited(role: Role): boolean {
  return !roleAllows(role, 'walls', 'view');
}
