import { describe, expect, it } from 'vitest';
import { commandOf } from './keyboard-map.ts';

const press = (key: string, held: object = {}): Parameters<typeof commandOf>[0] => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

describe('keys of the wall', () => {
  it.each([
    ['ArrowUp', { do: 'select', direction: 'up' }],
    ['PageDown', { do: 'page', by: 1 }],
    ['3', { do: 'pick', place: 3 }],
    ['0', { do: 'grid', grid: null }],
    ['m', { do: 'mute' }],
    ['M', { do: 'mute' }],
    ['Delete', { do: 'remove' }],
    ['?', { do: 'help' }],
  ])('include %s', (key, command) => {
    expect(commandOf(press(key))).toEqual(command);
  });

  it.each([
    ['!', 'Digit1', true, { do: 'grid', grid: 1 }],
    ['$', 'Digit4', true, { do: 'grid', grid: 16 }],
    ['&', 'Digit1', false, { do: 'pick', place: 1 }],
    ['9', 'Numpad9', false, { do: 'pick', place: 9 }],
    ['/', 'Digit7', true, { do: 'find' }],
  ] as const)('with digits are read by key position: %s on %s', (key, code, shiftKey, command) => {
    expect(commandOf(press(key, { code, shiftKey }))).toEqual(command);
  });

  it('mute all with Shift', () => {
    expect(commandOf(press('M', { shiftKey: true }))).toEqual({ do: 'mute-all' });
  });

  it('move the selected tile with Shift and arrow keys', () => {
    expect(commandOf(press('ArrowUp', { shiftKey: true }))).toEqual({ do: 'move', direction: 'up' });
  });

  it.each(['ctrlKey', 'altKey', 'metaKey'])('with %s belong to the browser', (modifier) => {
    expect(commandOf(press('r', { [modifier]: true }))).toBeNull();
  });

  it.each(['x', 'constructor', 'F5'])('do not include %s', (key) => {
    expect(commandOf(press(key))).toBeNull();
  });
});
