import { roleAllows, type Role } from '../../../src-preload/contract/operations/roles.ts';

/** Prefixes of stream names in a text, separated by commas or spaces, without slashes at the end. */
export function prefixesIn(text: string): string[] {
  const names = text.split(/[\s,;]+/).map((part) => part.replace(/[/…*]+$/, ''));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether a person with this role who is limited to some streams can use no page, because the pages of the role show all streams. */
export function isUselessIfLimited(role: Role): boolean {
  return !roleAllows(role, 'walls', 'view');
}
