import { describe, expect, it } from 'vitest';
import { OpenedFile, type StartFile } from './opened-file.ts';

const OPENED: StartFile = { configFile: '/home/op/Studio.airdesk', isConfigOpened: true };
const NAMED: StartFile = { configFile: '/etc/air.conf', isConfigOpened: false };
const OWN: StartFile = { configFile: null, isConfigOpened: false };
const ERROR = { code: 'path_not_allowed', message: 'This file is not allowed' } as const;

function opened(file: StartFile, answer = true): { file: OpenedFile; calls: unknown[] } {
  const calls: unknown[] = [];
  const made = new OpenedFile(file, {
    ask: (path) => {
      calls.push(path);
      return Promise.resolve(answer);
    },
    refused: (path, error) => calls.push([path, error]),
  });
  return { file: made, calls };
}

describe('a configuration opened by double click', () => {
  it('runs only after consent, and another one does not ask meanwhile', async () => {
    const results: StartFile[] = [];
    const requests: unknown[] = [];
    for (const [start, answer] of [
      [OPENED, true],
      [OPENED, false],
      [NAMED, false],
      [OWN, false],
    ] as const) {
      const { file, calls } = opened(start, answer);
      await file.confirm();
      results.push(file.file);
      requests.push(...calls);
    }
    expect(results).toEqual([OPENED, OWN, NAMED, OWN]);
    expect(requests).toEqual([OPENED.configFile, OPENED.configFile]);
  });

  it('comes before the start on macOS', async () => {
    const { file, calls } = opened(OWN);
    file.open('/home/op/Studio.airdesk');
    await file.confirm();
    expect([file.file, calls]).toEqual([OPENED, [OPENED.configFile]]);
  });

  it('is left for the own one if the server cannot start with it, with the reason', () => {
    const { file, calls } = opened(OPENED);
    expect(file.failed(ERROR)).toBe(true);
    expect(file.file).toEqual(OWN);
    expect(calls).toEqual([[OPENED.configFile, ERROR]]);
    // The own one is tried again and again.
    expect(file.failed(ERROR)).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it('stays once the server has run with it, and another one always stays', () => {
    const { file } = opened(OPENED);
    file.ran();
    expect([file.failed(ERROR), file.file]).toEqual([false, OPENED]);
    const named = opened(NAMED);
    expect([named.file.failed(ERROR), named.file.file, named.calls]).toEqual([false, NAMED, []]);
  });
});
