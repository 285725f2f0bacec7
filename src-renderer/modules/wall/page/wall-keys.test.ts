import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useAlarmsStore } from '../../../domain/alarms/store.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { useWallStore } from '../store.ts';
import KeysDialog from './KeysDialog.vue';
import { useWallKeys } from './use-wall-keys.ts';

let desk: TestDesk;
let done: string[];
let end: () => void;

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.setStreams(...['a', 'b', 'c', 'd', 'e'].map((name) => aStream({ name })));
  done = [];
  ({ end } = desk.run(() => useWallKeys((name, what) => Promise.resolve(void done.push(`${what} ${name}`)))));
});
afterEach(() => {
  end();
  document.body.replaceChildren();
});

function press(key: string, held: KeyboardEventInit = {}, on: EventTarget = document): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held });
  on.dispatchEvent(event);
  return event;
}
function put(tag: string): HTMLElement {
  const element = document.createElement(tag);
  document.body.append(element);
  return element;
}

describe('useWallKeys', () => {
  it('moves the selection over the grid, also while a key repeats', () => {
    const wall = useWallStore();
    const path = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End', 'Home'].map((key) => {
      press(key, { repeat: key.startsWith('Arrow') });
      return wall.selected;
    });
    expect(path).toEqual(['b', 'e', 'd', 'a', 'e', 'a']);
  });

  it('scrolls to the selected tile', async () => {
    const tile = put('article');
    tile.setAttribute('aria-current', 'true');
    let scrolled: unknown;
    tile.scrollIntoView = (options) => (scrolled = options);
    press('m');
    await flushPromises();
    expect(scrolled).toBeUndefined();
    press('ArrowDown');
    await flushPromises();
    expect(scrolled).toEqual({ block: 'nearest' });
  });

  it('selects the grid, changes the page, and toggles solo', () => {
    const wall = useWallStore();
    press('2', { code: 'Digit2', shiftKey: true });
    expect([wall.placed[0]?.length, wall.pages]).toEqual([4, 2]);
    press('PageDown');
    expect([wall.page, wall.selected]).toEqual([1, 'e']);
    press('PageUp');
    press('Enter');
    expect(wall.solo).toBe('a');
    press('Escape');
    expect(wall.solo).toBeNull();
  });

  it('selects the tiles of a page by digit, also in solo', () => {
    const wall = useWallStore();
    press('3');
    expect(wall.selected).toBe('c');
    press('9');
    expect(wall.selected).toBe('c');
    press('Enter');
    press('2');
    expect([wall.selected, wall.solo]).toEqual(['b', 'b']);
  });

  it('acknowledges the alarms of the selected stream, with permission', async () => {
    const alarm = (id: string, name: string, takenMs: number | null = null) => ({
      id,
      name,
      alarm: 'black' as const,
      severity: 'major' as const,
      detail: '',
      fault: null,
      facts: {},
      raised_at: 1,
      cleared_at: null,
      acknowledged_at: takenMs,
      acknowledged_by: null,
      note: null,
      shelved_until: null,
    });
    const list = [alarm('1', 'a'), alarm('2', 'a', 5), alarm('3', 'b')];
    useAlarmsStore().set(list);
    desk.bridge.answers['alarms.list'] = { alarms: list };
    press('k');
    await flushPromises();
    expect(desk.bridge.calls).toEqual([
      ['alarms.acknowledge', { id: '1' }],
      ['alarms.list', {}],
    ]);
    desk.setServer({ may_write: false });
    press('k');
    await flushPromises();
    expect(desk.bridge.calls).toHaveLength(2);
  });

  it('selects the audible tiles', () => {
    const wall = useWallStore();
    press('m');
    expect(wall.isAudible('a')).toBe(true);
    press('ArrowRight');
    press('s');
    expect([wall.isAudible('a'), wall.isAudible('b')]).toEqual([false, true]);
    press('M', { shiftKey: true });
    expect(wall.isAudible('b')).toBe(false);
    press('f');
    press('ArrowRight');
    expect(wall.isAudible('c')).toBe(true);
  });

  it('does not unmute a stream without audio', () => {
    desk.setStreams(aStream({ name: 'a', media_info: null }), aStream({ name: 'b' }));
    const wall = useWallStore();
    press('m');
    press('s');
    expect(wall.isAudible('a')).toBe(false);
    press('ArrowRight');
    press('m');
    expect(wall.isAudible('b')).toBe(true);
    // An audible stream that is lost can still be muted.
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'b', media_info: null }));
    press('m');
    expect(wall.isAudible('b')).toBe(false);
  });

  it('acts on the selected stream, and opens dialogs', () => {
    press('Delete');
    press('r');
    press('d');
    expect(done).toEqual(['remove a', 'restart a', 'archive a']);
    press('a');
    expect(useStreamsStore().isAddOpen).toBe(true);
    press('?');
    expect(useWallStore().isHelpOpen).toBe(true);
  });

  it('does not repeat a removal or restart while the key is held down', () => {
    press('Delete', { repeat: true });
    press('r', { repeat: true });
    expect(done).toEqual([]);
  });

  it('does nothing without a stream', () => {
    desk.setStreams();
    press('Delete');
    press('m');
    expect(done).toEqual([]);
  });

  it.each(['input', 'textarea', 'select'])('ignores keys that are typed in %s', (tag) => {
    const event = press('Delete', {}, put(tag));
    expect([done, event.defaultPrevented]).toEqual([[], false]);
  });

  it('leaves Enter to a focused button, but no other key', () => {
    press('Enter', {}, put('button'));
    expect(useWallStore().solo).toBeNull();
    press('Delete', {}, put('button'));
    expect(done).toEqual(['remove a']);
  });

  it('ignores keys while a dialog or menu is open', () => {
    const { end: close } = desk.run(() => useOverlayStore().track(() => true));
    for (const key of ['Delete', 'ArrowRight', 'Escape', 'a']) press(key);
    expect([done, useWallStore().selected, useStreamsStore().isAddOpen]).toEqual([[], 'a', false]);
    close();
    press('ArrowRight');
    expect(useWallStore().selected).toBe('b');
  });

  it('ends when the wall closes', () => {
    end();
    press('Delete');
    expect(done).toEqual([]);
  });
});

describe('KeysDialog', () => {
  const labels = async (mayWrite: boolean): Promise<string> => {
    desk.setServer({ may_write: mayWrite });
    desk.mount(KeysDialog, { props: { isOpen: true } });
    await flushPromises();
    return document.querySelector('[role=dialog]')?.textContent ?? '';
  };

  it('lists every key with its action', async () => {
    const text = await labels(true);
    expect(text).toMatch(
      /Enter, double click.*Solo the selected tile.*Shift M.*Mute or unmute all.*Delete.*Remove the selected stream/,
    );
  });

  it('omits actions that are not permitted', async () => {
    const text = await labels(false);
    expect(text).toContain('Mute or unmute all');
    expect(text).not.toMatch(/Add a stream|Restart|Remove/);
  });
});
