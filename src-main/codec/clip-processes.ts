import { CodecProcess, type CodecProcessOptions } from './codec-process.ts';
import type { ConformInput, ConformOutput, ConformProgress } from './clip/clip-target.ts';

/** A clip that is being made. */
export interface RunningConform {
  /** Raises `clip_not_made`, `clip_no_room`, and `codec_process_failed` where it was stopped. */
  readonly outcome: Promise<ConformOutput>;
  /** Ends it; resolves when its process is gone. */
  stop(): Promise<void>;
}

/** Makes clips, each in a process of its own that ends with it: a source that kills the process harms nothing else. */
export class ClipProcesses {
  readonly #options: CodecProcessOptions;
  readonly #processes = new Set<CodecProcess>();

  constructor(options: CodecProcessOptions) {
    this.#options = options;
  }

  run(input: ConformInput, progress: (progress: ConformProgress) => void): RunningConform {
    const process = new CodecProcess(this.#options);
    this.#processes.add(process);
    const outcome = process
      .run('conform', input, undefined, (report) => {
        // The child reports what the job of this kind does.
        progress(report as ConformProgress);
      })
      .finally(async () => {
        await process.close();
        this.#processes.delete(process);
      });
    outcome.catch(() => undefined);
    return { outcome, stop: async () => process.close() };
  }

  /** Ends all; resolves when no child is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#processes].map(async (process) => process.close()));
  }
}
