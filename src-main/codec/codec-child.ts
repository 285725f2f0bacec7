import type { JobReply, JobRequest } from './protocol.ts';

/** Callbacks of a codec process. */
export interface CodecChildListener {
  reply(reply: JobReply): void;
  /** Called with text that the process has printed; usually the last text is the reason of its end. */
  printed(text: string): void;
  /** Called once, after all other calls, when the process has ended or could not be started. */
  ended(reason: string): void;
}

/** A started codec process, as its owner uses it. */
export interface CodecChild {
  /** Undefined until the process runs. */
  readonly pid: number | undefined;
  /** True while the child can receive jobs. */
  readonly isConnected: boolean;
  send(request: JobRequest): void;
  /** Disconnects the child because there is no more work; an idle child then ends by itself. */
  disconnect(): void;
  /** Kills the process. */
  kill(): void;
}

/** Starts a codec process. The listener is not called before this function returns. */
export type StartCodecChild = (listener: CodecChildListener) => CodecChild;
