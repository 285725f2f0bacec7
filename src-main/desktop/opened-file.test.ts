import { expect, it } from 'vitest';
import { confirmedStart } from './opened-file.ts';

it('asks for a configuration of a double click, and for no other', async () => {
  const asked: string[] = [];
  const ask =
    (answer: boolean) =>
    (file: string): Promise<boolean> => {
      asked.push(file);
      return Promise.resolve(answer);
    };
  const opened = { configFile: '/home/op/Studio.airdesk', isConfigOpened: true };
  expect(await confirmedStart(opened, ask(true))).toBe(opened);
  expect(await confirmedStart(opened, ask(false))).toEqual({ configFile: null, isConfigOpened: false });
  expect(asked).toEqual([opened.configFile, opened.configFile]);
  const named = { configFile: '/etc/air.conf', isConfigOpened: false };
  expect(await confirmedStart(named, ask(false))).toBe(named);
  const none = { configFile: null, isConfigOpened: false };
  expect(await confirmedStart(none, ask(false))).toBe(none);
  expect(asked).toHaveLength(2);
});
