import type { JobReply, JobRequest } from './protocol.ts';

/** Receives what happens to a codec process. */
export interface CodecChildListener {
  reply(reply: JobReply): void;
  /** It printed something, mostly what it died of. */
  printed(text: string): void;
  /** It is gone, or never came to be. Comes once, last. */
  ended(how: string): void;
}

/** A codec process that was started, as far as its owner needs it. */
export interface CodecChild {
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  /** Whether jobs still reach it. */
  readonly isConnected: boolean;
  send(request: JobRequest): void;
  /** Has no more work for it: an idle child ends by itself. */
  hangUp(): void;
  /** Ends it without asking. */
  kill(): void;
}

/** Starts a codec process; the listener hears nothing before this returns. */
export type StartCodecChild = (listener: CodecChildListener) => CodecChild;
