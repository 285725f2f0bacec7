import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import { EventServices } from './event-services.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'airdesk-events-'));
afterAll(() => {
  rmSync(dataFolder, { recursive: true, force: true });
});

describe('the log of events', () => {
  it('contains refusals once per address and reason in ten seconds, with their number', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (message: string, fields: object = {}) => lines.push({ message, ...fields }) };
    const clock = new FakeClock();
    const events = await EventServices.open({ dataFolder, server: 'here', version: '1', clock, log });
    const code = 'publish_limit';
    for (let attempt = 0; attempt < 500; attempt++) {
      events.bus.emit('auth_failed', { ip: '192.0.2.1', user: null, is_slowed: false });
      events.bus.emit('publish_refused', { media: null, path: 'live/a', ip: '192.0.2.2', code, detail: '' });
      events.bus.emit('stream_idle', { media: 'news', input: null, code: null, detail: null });
    }
    expect(lines).toMatchObject([
      { message: 'a wrong login was refused', event: 'auth_failed', ip: '192.0.2.1' },
      { message: 'a publisher was refused', event: 'publish_refused', ip: '192.0.2.2', code },
    ]);
    clock.advance(10_000);
    expect(lines.slice(2)).toMatchObject([
      { ip: '192.0.2.1', count: 499 },
      { ip: '192.0.2.2', count: 499 },
    ]);
    await events.close();
  });
});
