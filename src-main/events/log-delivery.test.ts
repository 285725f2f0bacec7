import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AllowedPaths } from '../lib/allowed-paths.ts';
import { eventLine, LogDelivery } from './log-delivery.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-log-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const text = (id: number): string =>
  JSON.stringify({
    event: 'play_opened',
    event_id: id,
    utc_ms: 1_800_000_000_000,
    media: 'news',
    user_agent: 'A player "x"',
    user_id: null,
  });
const records = (...ids: number[]) => ids.map((id) => ({ seq: id, text: text(id) }));

describe('log files', () => {
  it('have readable lines', () => {
    expect(eventLine(text(7))).toBe(
      '2027-01-15T08:00:00.000Z play_opened event_id=7 media=news user_agent="A player \\"x\\""',
    );
    expect(eventLine(JSON.stringify({ event: 'a', utc_ms: 0, detail: 'two\nlines' }))).toBe(
      '1970-01-01T00:00:00.000Z a detail="two\\nlines"',
    );
  });

  it('are not written through a later link to a folder that is not allowed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'airdesk-outside-'));
    const locate = new AllowedPaths(folder).locateConfigured;
    const path = join(folder, 'logs/events.jsonl');
    const log = new LogDelivery({ path, locate, form: 'jsonlog', maxBytes: 150, maxFiles: 1 });
    expect(await log.deliver(records(1))).toEqual({ kind: 'delivered' });
    rmSync(join(folder, 'logs'), { recursive: true });
    symlinkSync(outside, join(folder, 'logs'));
    writeFileSync(join(outside, 'events.jsonl'), 'of others');
    // The file is full; the next one is created at the current target of the path.
    for (const id of [2, 3])
      expect(await log.deliver(records(id))).toMatchObject({ kind: 'failed', code: 'path_not_allowed' });
    expect(readdirSync(outside)).toEqual(['events.jsonl']);
    expect(readFileSync(join(outside, 'events.jsonl'), 'utf8')).toBe('of others');
    rmSync(join(folder, 'logs'));
    expect(await log.deliver(records(4))).toEqual({ kind: 'delivered' });
    expect(readFileSync(path, 'utf8')).toContain('"event_id":4');
    await log.close();
    // A path in the configuration file may be outside the allowed folders.
    const named = new LogDelivery({ path: join(outside, 'a.log'), locate, form: 'log', maxBytes: 300, maxFiles: 1 });
    expect(await named.deliver(records(5))).toEqual({ kind: 'delivered' });
    await named.close();
    rmSync(outside, { recursive: true, force: true });
  });

  it('are created with their folder, and appended to', async () => {
    const path = join(folder, 'logs/events.jsonl');
    for (const id of [1, 2]) {
      const log = new LogDelivery({ path, form: 'jsonlog', maxBytes: 1e6, maxFiles: 2 });
      expect(await log.deliver(records(id))).toEqual({ kind: 'delivered' });
      await log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe(`${text(1)}\n${text(2)}\n`);
  });

  it('continue on a new line after an incomplete one', async () => {
    const path = join(folder, 'events.log');
    writeFileSync(path, '2027-01-15T08:00:00.000Z play_op');
    const log = new LogDelivery({ path, form: 'log', maxBytes: 1e6, maxFiles: 2 });
    await log.deliver(records(1));
    await log.close();
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      '2027-01-15T08:00:00.000Z play_op',
      eventLine(text(1)),
      '',
    ]);
  });

  it('are rotated, and the oldest are removed', async () => {
    const path = join(folder, 'events.jsonl');
    const log = new LogDelivery({ path, form: 'jsonlog', maxBytes: 300, maxFiles: 2 });
    for (let id = 1; id <= 9; id++) await log.deliver(records(id));
    await log.close();
    expect(readdirSync(folder).toSorted()).toEqual(['events.jsonl', 'events.jsonl.1', 'events.jsonl.2']);
    const idsOf = (name: string): number[] =>
      readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => Number((JSON.parse(line) as { event_id: number }).event_id));
    expect(['events.jsonl.2', 'events.jsonl.1', 'events.jsonl'].flatMap(idsOf)).toEqual([5, 6, 7, 8, 9]);
    // Without old files, the newest one is truncated.
    const single = new LogDelivery({ path, form: 'jsonlog', maxBytes: 300, maxFiles: 0 });
    for (let id = 10; id <= 13; id++) await single.deliver(records(id));
    await single.close();
    expect(idsOf('events.jsonl').at(-1)).toBe(13);
  });

  it('that cannot be written are reported and tried again', async () => {
    const path = join(folder, 'taken');
    mkdirSync(path);
    const log = new LogDelivery({ path, form: 'log', maxBytes: 300, maxFiles: 2 });
    expect(await log.deliver(records(1))).toMatchObject({ kind: 'failed', code: 'event_sink_not_written' });
    rmSync(path, { recursive: true });
    expect(await log.deliver(records(1))).toEqual({ kind: 'delivered' });
    await log.close();
  });
});
