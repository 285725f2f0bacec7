import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { silentLog } from '../lib/log.ts';
import { FolderLock } from './folder-lock.ts';

const HOLDER = join(import.meta.dirname, '../../tests/helpers/folder-holder.ts');
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const options = { log: silentLog, now: () => NOW_MS };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-lock-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

function refusal(): AirdeskError {
  try {
    FolderLock.acquire(folder, options).close();
  } catch (error) {
    if (error instanceof AirdeskError) return error;
    throw error;
  }
  throw new Error('the lock was given twice');
}

describe('FolderLock', () => {
  it('admits one server, and names the process and its start to the second', () => {
    const lock = FolderLock.acquire(folder, options);
    const { code, message, details } = refusal();
    expect(code).toBe('data_folder_in_use');
    expect(message).toContain(folder);
    expect(message).toContain(`process ${process.pid}, since 2026-01-02T03:04:05.000Z`);
    expect(message).toContain('--data');
    expect(details).toMatchObject({ pid: process.pid });
    lock.close();
    lock.close();
    expect(readdirSync(folder)).toEqual(['airdesk.lock']);
    FolderLock.acquire(folder, options).close();
  });

  it('is held although files beside it are damaged', () => {
    const lock = FolderLock.acquire(folder, options);
    writeFileSync(join(folder, 'airdesk.pid'), '{"pid":');
    expect(refusal().code).toBe('data_folder_in_use');
    lock.close();
  });

  it('is free after kill -9 of its holder, and not before', async () => {
    const child = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    expect(refusal().details).toMatchObject({ pid: child.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    FolderLock.acquire(folder, options).close();
  });

  it('is free after the thread of its holder ends, and not before', async () => {
    const worker = new Worker(HOLDER, { workerData: folder });
    await once(worker, 'message');
    expect(refusal().code).toBe('data_folder_in_use');
    await worker.terminate();
    FolderLock.acquire(folder, options).close();
  });

  it('allows a server to use a folder without support for locks, with a warning', () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (message: string) => lines.push(message) };
    FolderLock.acquire(join(folder, 'none'), { ...options, log }).close();
    expect(lines).toHaveLength(1);
  });
});
