import { roleAllows, type Role } from '../../../src-preload/contract/operations/roles.ts';

/** Prefixes of stream names in a text, separated by commas or spaces, without slashes at the end. */
export function prefixesIn(text: string): string[] {
  const names = text.split(/[\s,;]+/).map((part) => part.replace(/[/…*]+$/, ''));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether a limit to some streams leaves nothing of a role: its pages show all streams. */
export function isLimitUseless(role: Role): boolean {
  return !roleAllows(role, 'walls', 'view');
}
