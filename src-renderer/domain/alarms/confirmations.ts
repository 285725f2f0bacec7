import type { CallName } from '../../../src-preload/contract/calls.ts';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { TEXTS } from './texts.ts';

/** Confirmation by an operator that ends the cause of an alarm. */
export interface Confirmation {
  readonly name: 'deletion' | 'keys';
  readonly call: CallName & ('archive.allow_deletion' | 'system.confirm_keys');
  readonly label: () => string;
  /** Explanation of the consequences, shown before the confirmation. */
  readonly help: () => string;
}

const DELETION: Confirmation = {
  name: 'deletion',
  call: 'archive.allow_deletion',
  label: () => TEXTS.allowDeletion,
  help: () => TEXTS.allowDeletionHelp,
};
const KEYS: Confirmation = {
  name: 'keys',
  call: 'system.confirm_keys',
  label: () => TEXTS.confirmKeys,
  help: () => TEXTS.confirmKeysHelp,
};

/** Confirmation for an alarm; undefined if it needs none or has ended. */
export function confirmationOf({ fault, cleared_at: cleared }: AlarmObject): Confirmation | undefined {
  if (cleared !== null || fault === null) return undefined;
  if (fault.startsWith('deletion_held_')) return DELETION;
  return fault === 'seal_key_lost' || fault === 'log_key_lost' ? KEYS : undefined;
}
