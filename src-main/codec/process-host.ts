import type { ProcessNews, ProcessRequest } from '../lib/process-messages.ts';

/** Receives what happens to a process that a host started. */
export interface HostedProcessListener {
  started(pid: number): void;
  printed(text: string): void;
  /** Comes once, last. */
  ended(how: string): void;
}

/** Starts codec processes in place of this thread: under Electron only its main thread may. */
export interface ProcessHost {
  /** Starts one with these variables in its environment. @returns what kills it */
  start(environment: Readonly<Record<string, string>>, listener: HostedProcessListener): () => void;
}

/** A host behind messages: asks the thread that may start processes, and hears from it. */
export class RequestedHost implements ProcessHost {
  readonly #ask: (request: ProcessRequest) => void;
  readonly #listeners = new Map<number, HostedProcessListener>();
  #lastId = 0;

  constructor(ask: (request: ProcessRequest) => void) {
    this.#ask = ask;
  }

  start(environment: Readonly<Record<string, string>>, listener: HostedProcessListener): () => void {
    const id = ++this.#lastId;
    this.#listeners.set(id, listener);
    this.#ask({ kind: 'process-start', id, environment });
    return () => {
      if (this.#listeners.has(id)) this.#ask({ kind: 'process-kill', id });
    };
  }

  /** Takes what the other thread says. */
  hear(news: ProcessNews): void {
    const listener = this.#listeners.get(news.id);
    switch (news.kind) {
      case 'process-started':
        listener?.started(news.pid);
        return;
      case 'process-output':
        listener?.printed(news.text);
        return;
      case 'process-ended':
        this.#listeners.delete(news.id);
        listener?.ended(news.how);
        return;
    }
  }
}
