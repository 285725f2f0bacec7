import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { autostart } from './login-start.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-login-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('autostart is switched on and off, in a folder that may not exist yet', () => {
  const login = autostart('/opt/Airdesk/airdesk', folder);
  expect(login.isOn()).toBe(false);
  login.set(true);
  expect(login.isOn()).toBe(true);
  expect(readFileSync(join(folder, 'autostart/airdesk.desktop'), 'utf8')).toBe(
    '[Desktop Entry]\nType=Application\nName=Airdesk\nExec="/opt/Airdesk/airdesk"\n',
  );
  login.set(false);
  login.set(false);
  expect(login.isOn()).toBe(false);
});

it('autostart quotes any path of the program', () => {
  autostart('/home/a b/100%/"$x"\\y', folder).set(true);
  const text = readFileSync(join(folder, 'autostart/airdesk.desktop'), 'utf8');
  expect(text).toContain(String.raw`Exec="/home/a b/100%%/\\"\\$x\\"\\\\y"`);
});
