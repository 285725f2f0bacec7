import { parentPort, workerData } from 'node:worker_threads';
import { FolderLock } from '../../src-main/db/folder-lock.ts';
import { silentLog } from '../../src-main/lib/log.ts';

// Program: holds the lock of a data folder until it is killed. It runs as a process with the folder as argument, or as
// a worker with the folder as `workerData`.
const folder = (workerData as string | null) ?? process.argv[2] ?? '';
const lock = FolderLock.acquire(folder, { log: silentLog, now: () => Date.now() });
if (parentPort) parentPort.postMessage('held');
else process.stdout.write('held\n');
setInterval(() => lock, 60_000);
