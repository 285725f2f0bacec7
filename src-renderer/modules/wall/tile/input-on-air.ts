import { isErrorCode } from '../../../../src-preload/contract/index.ts';
import type { InputState, StreamState } from '../../../../src-preload/contract/index.ts';
import { errorTitle } from '../../../lib/error-advice.ts';
import { PHASES, TEXTS } from '../texts.ts';

/** Which input of a stream is on air, where there is more than one or the backup file plays. */
export interface InputOnAir {
  /** `main`: the best one; `reserve`: another, because the better ones fail; `chosen`: by an operator; `backup`: the backup file. */
  readonly kind: 'main' | 'reserve' | 'chosen' | 'backup';
  /** As on the lamp: `2/2 RESERVE`. */
  readonly words: string;
  /** One line for each input: its place, address, what it does, and its last error. */
  readonly lines: readonly string[];
}

type Inputs = Pick<StreamState, 'inputs' | 'active_input' | 'selected_input' | 'backup_running'>;

/** What there is to say about the inputs of a stream; null where there is one input and it needs no words. */
export function inputOnAir(stream: Inputs): InputOnAir | null {
  const { inputs, active_input: place, selected_input: chosen, backup_running: isBackup } = stream;
  const lines = inputs.map((input, index) => lineOf(input, index, index === place && !isBackup));
  if (isBackup) return { kind: 'backup', words: TEXTS.backupFile, lines };
  const active = place === null ? undefined : inputs[place];
  if (place === null || !active || inputs.length < 2) return null;
  const count = `${place + 1}/${inputs.length}`;
  if (chosen === place) return { kind: 'chosen', words: TEXTS.byHand(count), lines };
  // As the server ranks them: by priority, then in the order of the file.
  const isReserve = inputs.some(
    (input, index) => input.priority < active.priority || (input.priority === active.priority && index < place),
  );
  return isReserve ? { kind: 'reserve', words: TEXTS.reserve(count), lines } : { kind: 'main', words: count, lines };
}

function lineOf({ url, phase, last_error: error }: InputState, index: number, isOnAir: boolean): string {
  const title = error === null ? '' : isErrorCode(error.code) ? errorTitle(error.code) : error.code;
  // A fault of a time long gone says nothing about an input that runs.
  const why = error === null || phase === 'running' ? '' : ` – ${title}`;
  return `${index + 1}  ${url}  ${isOnAir ? TEXTS.onAir : PHASES[phase]}${why}`;
}
