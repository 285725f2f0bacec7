import { parentPort, workerData } from 'node:worker_threads';
import { portPipe } from './lib/channel/message-pipe.ts';
import { systemClock } from './lib/clock.ts';
import { lowerThreadPriority } from './lib/thread-priority.ts';
import { IndexThread } from './vod/thread/index-thread.ts';
import type { IndexThreadStart } from './vod/thread/messages.ts';

// Entry of an index thread: reads files and indexes their playable content.
if (!parentPort) throw new Error('index-thread runs as a worker thread');
// Structured clone of the data that the server sent.
const start = workerData as IndexThreadStart;
if (start.isLow) lowerThreadPriority();
new IndexThread(portPipe(parentPort), systemClock, start);
