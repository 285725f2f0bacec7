import { parentPort, workerData } from 'node:worker_threads';
import { MediaThread } from './engine/media-thread.ts';
import { portPipe } from './lib/channel/message-pipe.ts';
import type { MediaThreadOptions } from './engine/messages.ts';
import { systemClock, turnClock } from './lib/clock.ts';

// Entry of a media thread. The server thread controls it, over its only port.
if (!parentPort) throw new Error('media-thread runs as a worker thread');
// Structured clone of the options that the engine sent.
const options = workerData as MediaThreadOptions;
const thread = new MediaThread(options, portPipe(parentPort), turnClock(systemClock));
// A failure of one input must not take the other streams of the thread off air.
process.on('uncaughtException', (error) => {
  thread.fault(error);
});
thread.start();
