import { describe, expect, it } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import type { InputState, StreamState } from '../../../../src-preload/contract/index.ts';
import { inputOnAir } from './input-on-air.ts';

function input(priority: number, change: Partial<InputState> = {}): InputState {
  const base = { url: `udp://239.0.0.${priority}:1234`, priority, phase: 'running', is_active: false, ts_delay: null };
  return { ...base, retry_count: 0, error_count: 0, last_error: null, ...change } as InputState;
}

const stream = (change: Partial<StreamState>): StreamState => aStream({ inputs: [input(1), input(2)], ...change });

describe('inputOnAir', () => {
  it.each([
    ['the only one', { inputs: [input(1)], active_input: 0 }, undefined],
    ['none yet', { active_input: null }, undefined],
    ['the main one', { active_input: 0 }, '1/2'],
    ['the reserve', { active_input: 1 }, '2/2 RESERVE'],
    ['the main one, written last', { inputs: [input(2), input(1)], active_input: 1 }, '2/2'],
    ['the second of two alike', { inputs: [input(1), input(1)], active_input: 1 }, '2/2 RESERVE'],
    ['one that an operator chose', { active_input: 1, selected_input: 1 }, '2/2 BY HAND'],
    ['a reserve of the chosen one', { active_input: 1, selected_input: 0 }, '2/2 RESERVE'],
    ['the backup file', { active_input: null, backup_running: true }, 'BACKUP FILE'],
  ])('returns the text for %s', (_, change, text) => {
    expect(inputOnAir(stream(change))?.text).toBe(text);
  });

  it('shows the state of each input, and why it is not on air', () => {
    const dead = input(1, { phase: 'error', last_error: { code: 'input_unreachable', detail: '', at: 1 } });
    const old = input(2, { last_error: { code: 'input_ended', detail: '', at: 1 } });
    expect(inputOnAir(stream({ inputs: [dead, old], active_input: 1 }))?.lines).toEqual([
      '1  udp://239.0.0.1:1234  failed, retrying – The input cannot be reached',
      '2  udp://239.0.0.2:1234  on air',
    ]);
  });
});
