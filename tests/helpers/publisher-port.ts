import type {
  InputEnd,
  InputSink,
  PublishDecision,
  PublisherPort,
  PublishRequest,
} from '../../src-main/ingest/input.ts';
import type { AccessUnit, FormatProblem } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';

/** Publisher as recorded by `TestGate`. */
export class SeenPublisher implements InputSink {
  readonly request: PublishRequest;
  readonly close: (reason: InputEnd) => void;
  readonly trackSets: (readonly Track[])[] = [];
  /** Access units without their data, which is valid only during the call. */
  readonly units: (Omit<AccessUnit, 'data'> & { readonly bytes: number })[] = [];
  readonly problems: FormatProblem[] = [];
  readonly ends: InputEnd[] = [];
  receivedBytes = 0;
  readonly #changed: () => void;

  constructor(request: PublishRequest, close: (reason: InputEnd) => void, changed: () => void) {
    this.request = request;
    this.close = close;
    this.#changed = changed;
  }

  received(bytes: number): void {
    this.receivedBytes += bytes;
  }

  tracks(tracks: readonly Track[]): void {
    this.trackSets.push(tracks);
    this.#changed();
  }

  accessUnit({ data, ...rest }: AccessUnit): void {
    this.units.push({ ...rest, bytes: data.length });
    this.#changed();
  }

  splice(): void {}

  problem(problem: FormatProblem): void {
    this.problems.push(problem);
    this.#changed();
  }

  ended(end: InputEnd): void {
    this.ends.push(end);
    this.#changed();
  }
}

/** Gate for tests: accepts each name once, checks a password if set, and records its publishers. */
export class TestGate implements PublisherPort {
  readonly publishers: SeenPublisher[] = [];
  readonly requests: PublishRequest[] = [];
  /** Password that publishers must send as `?password=`. */
  password: string | undefined;
  /** Promise that decisions wait for. */
  barrier: Promise<void> = Promise.resolve();
  #waiting: (() => void)[] = [];

  async open(request: PublishRequest, publisher: { close(reason: InputEnd): void }): Promise<PublishDecision> {
    this.requests.push(request);
    this.#changed();
    await this.barrier;
    if (this.password !== undefined && request.query.get('password') !== this.password) {
      return { accepted: false, code: 'publish_bad_password', detail: 'The password is missing or wrong.' };
    }
    if (this.publishers.some((other) => other.request.path === request.path && other.ends.length === 0)) {
      return { accepted: false, code: 'publish_busy', detail: `${request.path} is published already.` };
    }
    const publication = new SeenPublisher(
      request,
      (reason) => publisher.close(reason),
      () => this.#changed(),
    );
    this.publishers.push(publication);
    return { accepted: true, sink: publication };
  }

  /** Resolves when the condition holds; checked at each event of a publisher. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves with the first publisher after it has ended. */
  async firstEnd(): Promise<SeenPublisher> {
    await this.until(() => (this.publishers[0]?.ends.length ?? 0) > 0);
    return this.publishers[0] as SeenPublisher; // the condition above guarantees it
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
