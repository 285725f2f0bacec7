import type { JobReply, JobRequest } from './protocol.ts';

/** Callbacks of a codec process. */
export interface CodecChildListener {
  reply(reply: JobReply): void;
  /** Text printed by the process, usually the reason of its end. */
  printed(text: string): void;
  /** The process has ended, or could not be started. Last call, made once. */
  ended(reason: string): void;
}

/** A started codec process, as its owner uses it. */
export interface CodecChild {
  /** Undefined until the process runs. */
  readonly pid: number | undefined;
  /** True while it can receive jobs. */
  readonly isConnected: boolean;
  send(request: JobRequest): void;
  /** Disconnects the child because there is no more work; an idle child then ends by itself. */
  disconnect(): void;
  /** Kills the process. */
  kill(): void;
}

/** Starts a codec process; the listener is not called before this returns. */
export type StartCodecChild = (listener: CodecChildListener) => CodecChild;
