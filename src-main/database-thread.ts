import { parentPort } from 'node:worker_threads';
import { DatabaseThread } from './db/thread/database-thread.ts';
import { portPipe } from './lib/channel/message-pipe.ts';
import { systemClock } from './lib/clock.ts';

// Entry of a database thread, which executes SQL for the server thread. Its parent port is its only connection.
if (!parentPort) throw new Error('database-thread runs as a worker thread');
new DatabaseThread(portPipe(parentPort), systemClock).start();
