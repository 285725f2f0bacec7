import { parentPort, workerData } from 'node:worker_threads';
import { MediaThread } from './engine/media-thread.ts';
import { portPipe } from './lib/channel/message-pipe.ts';
import type { MediaThreadOptions } from './engine/messages.ts';
import { systemClock } from './lib/clock.ts';

// Entry of a media thread: everything it does is decided by the server thread, over the one port it has.
if (!parentPort) throw new Error('media-thread runs as a worker thread');
// The options come as the structured clone of what the engine typed.
const options = workerData as MediaThreadOptions;
const thread = new MediaThread(options, portPipe(parentPort), systemClock);
// A fault in the handling of one input must not take the other streams of the thread off air.
process.on('uncaughtException', (error) => {
  thread.fault(error);
});
thread.start();
