import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { PendingChange } from './configuration-change.ts';

/** A change that waits for its confirmation, with what comes back without it. */
export interface Probation extends PendingChange {
  readonly before: ConfigDocument;
  readonly beforeId: number | null;
  readonly wasOnDisk: boolean;
  readonly isSaved: boolean;
  readonly cancelTimer: () => void;
}

/** The change that waits; raises `config_not_pending` where none does. */
export function requireProbation(probation: Probation | undefined): Probation {
  if (!probation) throw new AirdeskError('config_not_pending');
  return probation;
}

/** Raises `config_unconfirmed` while a change waits. */
export function requireNoProbation(probation: Probation | undefined): void {
  if (probation)
    throw new AirdeskError(
      'config_unconfirmed',
      'A change waits for its confirmation: confirm it or roll it back first',
      { version: probation.versionId },
    );
}
