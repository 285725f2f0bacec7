import { parentPort, workerData } from 'node:worker_threads';
import { portPipe } from './lib/channel/message-pipe.ts';
import { systemClock } from './lib/clock.ts';
import { lowerThreadPriority } from './lib/thread-priority.ts';
import { IndexThread } from './vod/thread/index-thread.ts';
import type { IndexThreadStart } from './vod/thread/messages.ts';

// Entry of an index thread, which reads media files and creates their indexes.
if (!parentPort) throw new Error('index-thread runs as a worker thread');
// The server passed the start data as `workerData`, so they have this type.
const start = workerData as IndexThreadStart;
if (start.isLow) lowerThreadPriority();
new IndexThread(portPipe(parentPort), systemClock, start);
