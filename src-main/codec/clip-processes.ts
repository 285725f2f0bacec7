import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { CodecProcess, type CodecProcessOptions } from './codec-process.ts';
import type { ConformInput, ConformOutput, ConformProgress } from './clip/clip-target.ts';
import type { SurveyInput, SurveyOutput } from './jobs/survey.ts';

/** A running clip job. */
export interface RunningConform {
  /** Rejects with `clip_not_made`, `clip_no_room`, and with `codec_process_failed` if its process died or was stopped. */
  readonly outcome: Promise<ConformOutput>;
  /** Stops the job; resolves when its process has ended. */
  stop(): Promise<void>;
}

/** Maximum time of an overview, in milliseconds. */
const SURVEY_MS = 9500;
const MAX_WAITING = 8;

/** Runs clip jobs, each in its own process, so that a source that crashes the process harms no other job. */
export class ClipProcesses {
  readonly #options: CodecProcessOptions;
  readonly #processes = new Set<CodecProcess>();
  /** End of the last overview; overviews run one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: CodecProcessOptions) {
    this.#options = options;
  }

  run(input: ConformInput, progress: (progress: ConformProgress) => void): RunningConform {
    const process = new CodecProcess(this.#options);
    this.#processes.add(process);
    const outcome = process
      .run('conform', input, undefined, (report) => {
        // The child reports the progress type of this job.
        progress(report as ConformProgress);
      })
      .finally(async () => {
        await process.close();
        this.#processes.delete(process);
      });
    outcome.catch(() => undefined);
    return { outcome, stop: async () => process.close() };
  }

  /**
   * Creates an overview of a file. Rejects with `clip_not_made`, `codec_process_failed`, `codec_process_timeout`, and with
   * `unavailable` if too many overviews wait.
   */
  async survey(input: SurveyInput): Promise<SurveyOutput> {
    if (this.#waiting >= MAX_WAITING) throw new AirdeskError('unavailable', 'Too many files are already being read');
    this.#waiting++;
    const turn = this.#last.then(async () => {
      const process = new CodecProcess(this.#options);
      this.#processes.add(process);
      try {
        return await process.run('survey', input, SURVEY_MS);
      } finally {
        await process.close();
        this.#processes.delete(process);
        this.#waiting--;
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Stops all jobs; resolves when no child is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#processes].map(async (process) => process.close()));
  }
}
