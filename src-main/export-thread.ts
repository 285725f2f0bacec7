import { parentPort, workerData } from 'node:worker_threads';
import { serveExport } from './export/thread/export-thread.ts';
import type { ExportTask } from './export/thread/export-task.ts';
import { systemClock } from './lib/clock.ts';

// Entry of an export thread. It runs one export from start to end, separately from live streams.
if (!parentPort) throw new Error('export-thread runs as a worker thread');
// The server passed the task as `workerData`, so it has this type.
await serveExport(workerData as ExportTask, parentPort, systemClock);
