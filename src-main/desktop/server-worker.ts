import { Worker } from 'node:worker_threads';
import type { FromThread, ServerThread, ThreadListener, ThreadStart } from './thread-messages.ts';

/** Starts the server in a worker thread of this process. */
export function startServerWorker(entry: URL, start: ThreadStart, listener: ThreadListener): ServerThread {
  const worker = new Worker(entry, { name: 'server', workerData: start });
  let fault: Error | undefined;
  worker.on('message', (message) => {
    // Our own thread of the same build: its messages need no check.
    listener.message(message as FromThread);
  });
  worker.on('error', (error) => {
    fault = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => {
    listener.ended(fault ? fault.message : `exit code ${code}`);
  });
  return {
    post(message) {
      worker.postMessage(message);
    },
    kill() {
      void worker.terminate();
    },
  };
}
