import { parentPort, workerData } from 'node:worker_threads';
import { MediaThread } from './engine/media-thread.ts';
import { portPipe } from './lib/channel/message-pipe.ts';
import type { MediaThreadOptions } from './engine/messages.ts';
import { systemClock, turnClock } from './lib/clock.ts';

// Entry of a media thread. The server thread controls it through the parent port.
if (!parentPort) throw new Error('media-thread runs as a worker thread');
// The engine passed the options as `workerData`, so they have this type.
const options = workerData as MediaThreadOptions;
const thread = new MediaThread(options, portPipe(parentPort), turnClock(systemClock));
// An error in one input must not take the other streams of the thread off air.
process.on('uncaughtException', (error) => {
  thread.fault(error);
});
thread.start();
