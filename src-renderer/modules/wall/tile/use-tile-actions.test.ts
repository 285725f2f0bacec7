import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useTakeStore } from '../../../domain/streams/take-store.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { useWallStore } from '../store.ts';
import { useTileActions, type ActOnTile } from './use-tile-actions.ts';

let desk: TestDesk;
let act: ActOnTile;
const writeText = vi.fn(() => Promise.resolve());

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.setStreams(aStream({ publish_urls: ['rtmp://h/static/cam1'] }));
  act = desk.run(useTileActions).result;
  writeText.mockClear().mockImplementation(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText } });
});

describe('useTileActions', () => {
  it.each([
    ['copy-hls', 'http://desk.example/cam1/index.m3u8'],
    ['copy-dash', 'http://desk.example/cam1/index.mpd'],
    ['copy-publish', 'rtmp://h/static/cam1'],
  ] as const)('copies the address with %s, and reports this', async (what, address) => {
    await act('cam1', what);
    expect(writeText).toHaveBeenCalledWith(address);
    expect(useToastStore().toasts.at(-1)).toMatchObject({ kind: 'info', text: `Copied: ${address}` });
  });

  it('mentions the password of a publish address', async () => {
    desk.setStreams(aStream({ publish_urls: ['rtmp://h/static/cam1'], publish_password: true }));
    await act('cam1', 'copy-publish');
    expect(useToastStore().toasts.at(-1)?.text).toContain('Password needed');
  });

  it('shows the address for manual copying if the browser refuses', async () => {
    writeText.mockImplementation(() => Promise.reject(new Error('not allowed')));
    Object.assign(document, { execCommand: () => false });
    await act('cam1', 'copy-hls');
    expect(useToastStore().toasts.at(-1)).toMatchObject({
      kind: 'error',
      text: expect.stringContaining('Copy by hand'),
    });
  });

  it('opens the player page without access to the desk', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await act('cam1', 'open-player');
    expect(open).toHaveBeenCalledWith('http://desk.example/cam1/embed.html', '_blank', 'noopener');
  });

  it('opens the archive at the current picture', async () => {
    await act('cam1', 'archive');
    const { name, query } = desk.router.currentRoute.value;
    expect([name, query['stream']]).toEqual(['archive', 'cam1']);
    expect(Math.abs(Date.parse(String(query['at'])) - Date.now())).toBeLessThan(60_000);
  });

  it('toggles solo, restarts and removes a stream', async () => {
    await act('cam1', 'solo');
    expect(useWallStore().solo).toBe('cam1');
    for (const what of ['restart', 'remove'] as const) {
      const done = act('cam1', what);
      useConfirmStore().settle(true);
      await done;
    }
    await flushPromises();
    expect(desk.bridge.called).toEqual(expect.arrayContaining(['streams.restart', 'streams.remove']));
  });

  it('puts inputs on air, and opens the details', async () => {
    const refused = act('cam1', 'take-1');
    useTakeStore().settle(false);
    await refused;
    expect(desk.bridge.called).not.toContain('streams.select_input');
    const taken = act('cam1', 'take-1');
    useTakeStore().settle(true);
    await taken;
    await act('cam1', 'automatic');
    expect(desk.bridge.calls.filter(([call]) => call === 'streams.select_input').map(([, input]) => input)).toEqual([
      { name: 'cam1', input: 1 },
      { name: 'cam1', input: null },
    ]);
    await act('cam1', 'details');
    const { name, query } = desk.router.currentRoute.value;
    expect([name, query]).toEqual(['streams', { name: 'cam1' }]);
  });

  it('does nothing to a removed stream', async () => {
    await act('gone', 'remove');
    expect([useConfirmStore().request, useToastStore().toasts]).toEqual([null, []]);
  });
});
