import { parentPort, workerData } from 'node:worker_threads';
import { serveExport } from './export/thread/export-thread.ts';
import type { ExportTask } from './export/thread/export-task.ts';
import { systemClock } from './lib/clock.ts';

// Entry of an export thread: one export from start to end, apart from everything live.
if (!parentPort) throw new Error('export-thread runs as a worker thread');
// Structured clone of the task that the server sent.
await serveExport(workerData as ExportTask, parentPort, systemClock);
