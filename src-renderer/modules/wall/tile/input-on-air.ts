import { isErrorCode } from '../../../../src-preload/contract/index.ts';
import type { InputState, StreamState } from '../../../../src-preload/contract/index.ts';
import { errorTitle } from '../../../lib/error-advice.ts';
import { PHASES, TEXTS } from '../texts.ts';

/** Input on air, for streams with several inputs or with the backup file on air. */
export interface InputOnAir {
  /**
   * `main`: the preferred input; `reserve`: another one, because the preferred inputs failed; `chosen`: selected by an operator;
   * `backup`: the backup file.
   */
  readonly kind: 'main' | 'reserve' | 'chosen' | 'backup';
  /** Text of the lamp: `2/2 RESERVE`. */
  readonly text: string;
  /** One line per input: number, address, phase and last error. */
  readonly lines: readonly string[];
}

type Inputs = Pick<StreamState, 'inputs' | 'active_input' | 'selected_input' | 'backup_running'>;

/** Describes the input on air; null for a single input without trouble. */
export function inputOnAir(stream: Inputs): InputOnAir | null {
  const { inputs, active_input: place, selected_input: chosen, backup_running: isBackup } = stream;
  const lines = inputLines(stream);
  if (isBackup) return { kind: 'backup', text: TEXTS.backupFile, lines };
  const active = place === null ? undefined : inputs[place];
  if (place === null || !active || inputs.length < 2) return null;
  const count = `${place + 1}/${inputs.length}`;
  if (chosen === place) return { kind: 'chosen', text: TEXTS.byHand(count), lines };
  // Inputs are ranked as on the server: by priority, then in the order of the configuration.
  const isReserve = inputs.some(
    (input, index) => input.priority < active.priority || (input.priority === active.priority && index < place),
  );
  return isReserve ? { kind: 'reserve', text: TEXTS.reserve(count), lines } : { kind: 'main', text: count, lines };
}

/** One line per input: number, address, phase and last error. */
export function inputLines({ inputs, active_input: place, backup_running: isBackup }: Inputs): readonly string[] {
  return inputs.map((input, index) => lineOf(input, index, index === place && !isBackup));
}

function lineOf({ url, phase, last_error: error }: InputState, index: number, isOnAir: boolean): string {
  const title = error === null ? '' : isErrorCode(error.code) ? errorTitle(error.code) : error.code;
  // The last error of a running input is out of date.
  const why = error === null || phase === 'running' ? '' : ` – ${title}`;
  return `${index + 1}  ${url}  ${isOnAir ? TEXTS.onAir : PHASES[phase]}${why}`;
}
