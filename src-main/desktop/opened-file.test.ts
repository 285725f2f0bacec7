import { describe, expect, it } from 'vitest';
import { OpenedFile, type StartFile } from './opened-file.ts';

const OPENED: StartFile = { configFile: '/home/op/Studio.airdesk', isConfigOpened: true };
const NAMED: StartFile = { configFile: '/etc/air.conf', isConfigOpened: false };
const DEFAULT: StartFile = { configFile: null, isConfigOpened: false };
const ERROR = { code: 'path_not_allowed', message: 'This file is not allowed' } as const;

function opened(file: StartFile, answer = true): { file: OpenedFile; calls: unknown[] } {
  const calls: unknown[] = [];
  const openedFile = new OpenedFile(file, {
    confirm: (path) => {
      calls.push(path);
      return Promise.resolve(answer);
    },
    refused: (path, error) => calls.push([path, error]),
  });
  return { file: openedFile, calls };
}

describe('a configuration opened by double-click', () => {
  it('is used only with consent; other configurations need none', async () => {
    const results: StartFile[] = [];
    const requests: unknown[] = [];
    for (const [start, answer] of [
      [OPENED, true],
      [OPENED, false],
      [NAMED, false],
      [DEFAULT, false],
    ] as const) {
      const { file, calls } = opened(start, answer);
      await file.confirm();
      results.push(file.file);
      requests.push(...calls);
    }
    expect(results).toEqual([OPENED, DEFAULT, NAMED, DEFAULT]);
    expect(requests).toEqual([OPENED.configFile, OPENED.configFile]);
  });

  it('is accepted from an event before the start, as on macOS', async () => {
    const { file, calls } = opened(DEFAULT);
    file.open('/home/op/Studio.airdesk');
    await file.confirm();
    expect([file.file, calls]).toEqual([OPENED, [OPENED.configFile]]);
  });

  it('is replaced by the default configuration if the server cannot start with it, and the error is shown', () => {
    const { file, calls } = opened(OPENED);
    expect(file.failed(ERROR)).toBe(true);
    expect(file.file).toEqual(DEFAULT);
    expect(calls).toEqual([[OPENED.configFile, ERROR]]);
    // The supervisor restarts the default configuration after a pause.
    expect(file.failed(ERROR)).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it('is kept after the server has run with it; other configurations are always kept', () => {
    const { file } = opened(OPENED);
    file.ran();
    expect([file.failed(ERROR), file.file]).toEqual([false, OPENED]);
    const named = opened(NAMED);
    expect([named.file.failed(ERROR), named.file.file, named.calls]).toEqual([false, NAMED, []]);
  });
});
