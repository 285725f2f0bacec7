import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWallWindows, readWindowState, writeWallWindows, writeWindowState } from './window-state.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const STATE = { bounds: { x: 100, y: 50, width: 1200, height: 800 }, isMaximized: false, isFullScreen: false };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-window-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the stored state of the window', () => {
  it('is read back unchanged', () => {
    const file = join(folder, 'window.json');
    writeWindowState(file, STATE);
    expect(readWindowState(file, [SCREEN])).toEqual(STATE);
  });

  it('is ignored if its screen is missing', () => {
    const file = join(folder, 'window.json');
    writeWindowState(file, { ...STATE, bounds: { ...STATE.bounds, x: 2500 } });
    expect(readWindowState(file, [SCREEN])).toBeUndefined();
    expect(readWindowState(file, [SCREEN, { ...SCREEN, x: 1920 }])).toBeDefined();
  });

  it.each(['', '{}', '[1', '{"bounds":{"x":0,"y":0,"width":1,"height":1},"isMaximized":false,"isFullScreen":false}'])(
    'is ignored if the file contains %s',
    (text) => {
      const file = join(folder, 'window.json');
      writeFileSync(file, text);
      expect(readWindowState(file, [SCREEN])).toBeUndefined();
    },
  );

  it('is undefined at the first start and if the folder is missing', () => {
    expect(readWindowState(join(folder, 'none.json'), [SCREEN])).toBeUndefined();
    expect(() => {
      writeWindowState(join(folder, 'no/such/folder/window.json'), STATE);
    }).not.toThrow();
  });
});

describe('the stored additional windows', () => {
  const file = (): string => join(folder, 'wall-windows.json');

  it('are read with their pages, with the default position if their screen is missing', () => {
    const far = { ...STATE, bounds: { ...STATE.bounds, x: 2500 }, isFullScreen: true };
    writeWallWindows(file(), [
      { place: '/wall?wall=left', state: STATE },
      { place: '/wall', state: far },
    ]);
    expect(readWallWindows(file(), [SCREEN])).toEqual([
      { place: '/wall?wall=left', state: STATE },
      { place: '/wall', state: undefined },
    ]);
    expect(readWallWindows(file(), [SCREEN, { ...SCREEN, x: 1920 }])[1]?.state).toEqual(far);
  });

  it.each(['', '{}', '[{"place":"https://example.org","state":{}}]', '[{}]'])(
    'are an empty list if the file contains %s',
    (text) => {
      writeFileSync(file(), text);
      expect(readWallWindows(file(), [SCREEN])).toEqual([]);
    },
  );

  it('are an empty list at the first start', () => {
    expect(readWallWindows(file(), [SCREEN])).toEqual([]);
  });
});
