import { Worker } from 'node:worker_threads';
import { type ForkUtility, ProcessStarter } from './process-starter.ts';
import type { FromThread, ServerThread, ThreadListener, ThreadStart, ToThread } from './ipc/thread-messages.ts';

export interface ServerWorkerOptions {
  readonly entry: URL;
  readonly start: ThreadStart;
  readonly fork: ForkUtility;
}

/** Starts the server in a worker thread of this process. When the thread ends, its codec processes are killed. */
export function startServerWorker({ entry, start, fork }: ServerWorkerOptions, listener: ThreadListener): ServerThread {
  const worker = new Worker(entry, { name: 'server', workerData: start });
  const post = (message: ToThread): void => {
    worker.postMessage(message);
  };
  const starter = new ProcessStarter(fork, post);
  let fault: Error | undefined;
  // The thread is of the same build, so its messages need no check.
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'process-start' || message.kind === 'process-kill') starter.take(message);
    else listener.message(message);
  });
  worker.on('error', (error) => {
    fault = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => {
    starter.close();
    listener.ended(fault ? fault.message : `exit code ${code}`);
  });
  return {
    post,
    kill() {
      void worker.terminate();
    },
  };
}
