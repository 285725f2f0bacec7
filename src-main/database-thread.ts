import { parentPort } from 'node:worker_threads';
import { DatabaseThread } from './db/thread/database-thread.ts';
import { portPipe } from './lib/channel/message-pipe.ts';
import { systemClock } from './lib/clock.ts';

// Entry of the database thread: it speaks SQL, and is asked by the server thread over the one port that it has.
if (!parentPort) throw new Error('database-thread runs as a worker thread');
new DatabaseThread(portPipe(parentPort), systemClock).start();
