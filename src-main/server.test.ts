import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceServer } from '../tests/helpers/source-server.ts';
import { until } from '../tests/helpers/until.ts';
import type { AirdeskServer } from './server.ts';

let folder = '';
const closers: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-server-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

function server(configuration: string): AirdeskServer {
  const created = sourceServer(folder, `${configuration}\nevent_sink audit { url jsonlog://audit.jsonl; }\n`);
  closers.push(() => created.close());
  return created;
}

function eventKinds(): string[] {
  const path = join(folder, 'audit.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // The last line may be incomplete.
  return lines.slice(0, -1).map((line) => (JSON.parse(line) as { event: string }).event);
}

const isStarted = (kind: string): boolean => kind === 'server_started';

async function takenPort(): Promise<number> {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  closers.push(() => blocker.close());
  // A socket that listens on a port has an address object.
  return (blocker.address() as AddressInfo).port;
}

describe('AirdeskServer', () => {
  it('refuses a second server with the same data folder', async () => {
    const first = server('http 127.0.0.1:0;');
    await first.start();
    const second = server('http 127.0.0.1:0;');
    await expect(second.start()).rejects.toMatchObject({ code: 'data_folder_in_use' });
    await second.close();
    await until('the first start is written', () => eventKinds().includes('server_started'), 10_000);
    await first.close();
    await server('http 127.0.0.1:0;').start();
    await until('the next start is written', () => eventKinds().filter(isStarted).length === 2, 10_000);
    expect(eventKinds().filter((kind) => kind === 'server_starting')).toHaveLength(2);
  });

  it('leaves the event queues unchanged if its port is in use', async () => {
    const late = server(`http 127.0.0.1:${await takenPort()};`);
    await expect(late.start()).rejects.toMatchObject({ code: 'port_in_use' });
    await late.close();
    expect(existsSync(join(folder, 'events', 'audit'))).toBe(false);
    expect(existsSync(join(folder, 'audit.jsonl'))).toBe(false);
  });

  it('releases everything if it cannot start', async () => {
    const port = await takenPort();
    await expect(server(`http 127.0.0.1:${port};`).start()).rejects.toMatchObject({ code: 'port_in_use' });
    const { url } = await server('http 127.0.0.1:0;').start();
    expect((await fetch(`${url}mediaserver/api/v3/monitoring/liveness`)).status).toBe(200);
  });

  it('cancels its start when it is closed', async () => {
    const created = server('http 127.0.0.1:0;');
    const started = created.start();
    expect(await created.close()).toEqual([]);
    await expect(started).rejects.toThrow('was opened after the server started to close');
    await expect(server('http 127.0.0.1:0;').start()).resolves.toBeDefined();
  });

  it('emits events when it starts and stops', async () => {
    const created = server('http 127.0.0.1:0;');
    await created.start();
    expect(await created.close()).toEqual([]);
    // Events that were not delivered before the stop are delivered after the next start.
    await server('http 127.0.0.1:0;').start();
    await until('the stop is written', () => eventKinds().includes('server_stopping'), 10_000);
    // A busy machine may raise an alarm meanwhile.
    const ofServer = eventKinds().filter((kind) => kind.startsWith('server_'));
    expect(ofServer.slice(0, 3)).toEqual(['server_starting', 'server_started', 'server_stopping']);
  });
});
