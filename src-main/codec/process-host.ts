import type { ProcessEvent, ProcessRequest } from '../lib/process-messages.ts';

/** Callbacks of a process started by a host. */
export interface HostedProcessListener {
  started(pid: number): void;
  printed(text: string): void;
  /** Called once, after all other calls, when the process has ended. */
  ended(reason: string): void;
}

/** Starts codec processes for this thread. In Electron only the main thread may start processes. */
export interface ProcessHost {
  /** Starts a process with these environment variables. @returns function that kills the process */
  start(environment: Readonly<Record<string, string>>, listener: HostedProcessListener): () => void;
}

/** Process host that sends requests to the thread that may start processes. */
export class RequestedHost implements ProcessHost {
  readonly #send: (request: ProcessRequest) => void;
  readonly #listeners = new Map<number, HostedProcessListener>();
  #lastId = 0;

  constructor(send: (request: ProcessRequest) => void) {
    this.#send = send;
  }

  start(environment: Readonly<Record<string, string>>, listener: HostedProcessListener): () => void {
    const id = ++this.#lastId;
    this.#listeners.set(id, listener);
    this.#send({ kind: 'process-start', id, environment });
    return () => {
      if (this.#listeners.has(id)) this.#send({ kind: 'process-kill', id });
    };
  }

  /** Handles a message of the other thread. */
  receive(event: ProcessEvent): void {
    const listener = this.#listeners.get(event.id);
    switch (event.kind) {
      case 'process-started':
        listener?.started(event.pid);
        return;
      case 'process-output':
        listener?.printed(event.text);
        return;
      case 'process-ended':
        this.#listeners.delete(event.id);
        listener?.ended(event.how);
        return;
    }
  }
}
