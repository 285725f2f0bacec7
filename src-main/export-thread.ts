import { parentPort, workerData } from 'node:worker_threads';
import { serveExport } from './export/thread/export-thread.ts';
import type { ExportTask } from './export/thread/export-task.ts';
import { systemClock } from './lib/clock.ts';

// Entry of an export thread: one export from its start to its end, beside everything that is live.
if (!parentPort) throw new Error('export-thread runs as a worker thread');
// The task comes as the structured clone of what the server typed.
await serveExport(workerData as ExportTask, parentPort, systemClock);
