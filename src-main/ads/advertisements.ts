import { isDeepStrictEqual } from 'node:util';
import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Clock } from '../lib/clock.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { Session } from '../sessions/session.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdOutput } from './ad-output.ts';
import { clipMs, segmentsOf, type Clip, type ClipSource, type MissingClip, type Showing } from './clip.ts';
import { differences } from './clip-fit.ts';
import { readDecision, type ReadDecision } from './read-decision.ts';

/** Files of VOD locations as clips, with a segment for each second. */
interface ClipFiles {
  /** Reads a file, or looks whether it has changed. Never rejects. */
  open(path: string): Promise<Clip | MissingClip>;
}

/** What insertion needs. */
export interface AdvertisementsOptions {
  readonly clock: Clock;
  readonly files: ClipFiles;
  /** The first bytes of a clip are on their way to a viewer. */
  readonly shown: (session: Session, showing: Showing, decision: AdDecision) => void;
}

/** A viewer with advertisements. */
interface Viewer {
  readonly output: AdOutput;
  answer: unknown;
  read: ReadDecision;
}

/** How long a viewer waits for the clips of the decision, in milliseconds. */
const READ_MS = 1000;
/** Clips that are known, the longest unused go first. */
const MOST_KNOWN = 10_000;
/** After that time it is looked whether a clip is another one, in milliseconds. */
const FRESH_MS = 2000;

const NOTHING: AdDecision = { form: 'apart', prerolls: [], midrolls: [], insertBy: 'interval', intervalMs: undefined };

/** The advertisements of all viewers: what their backends answered, the clips of it, and the outputs that show them. */
export class Advertisements {
  readonly #options: AdvertisementsOptions;
  readonly #viewers = new Map<Session, Viewer>();
  /** Answers without a decision: they are not read again with each request. */
  readonly #without = new WeakMap<Session, unknown>();
  readonly #known = new Map<string, { readonly clip: Clip | MissingClip; lookedMs: number }>();

  constructor(options: AdvertisementsOptions) {
    this.#options = options;
  }

  /** Reads the clips of an answer before the viewer is let in, in bounded time. */
  async prepare(verdict: Verdict): Promise<void> {
    const { decision } = readDecision(verdict.kind === 'allow' ? verdict.adInject : undefined);
    if (!decision) return;
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const stop = clock.after(READ_MS, resolve);
      void Promise.all(pathsOf(decision).map((path) => this.#look(path))).then(() => {
        stop();
        resolve();
      });
    });
  }

  /** What a session is served from: its own view of a stream, or the stream as it is. */
  outputFor(session: Session | undefined, live: StreamOutput | undefined): StreamOutput | undefined {
    if (!session || !live || (session.proto !== 'hls' && session.proto !== 'dash')) return live;
    const known = this.#viewers.get(session);
    if (known && known.output.live === live) {
      if (known.answer !== session.adInject) this.#renew(known, session.adInject);
      this.#refresh(known.read.decision);
      return known.output;
    }
    if (!known && (session.adInject === undefined || this.#without.get(session) === session.adInject)) return live;
    known?.output.close();
    this.#viewers.delete(session);
    const read = readDecision(session.adInject);
    const { decision } = read;
    if (!decision) {
      this.#without.set(session, session.adInject);
      return live;
    }
    const output = new AdOutput({
      live,
      decision,
      clips: this.#clips,
      shown: (showing) => {
        this.#options.shown(session, showing, this.#viewers.get(session)?.read.decision ?? decision);
      },
    });
    this.#viewers.set(session, { output, answer: session.adInject, read });
    return output;
  }

  /** The session is over. */
  closed(session: Session): void {
    this.#viewers.get(session)?.output.close();
    this.#viewers.delete(session);
  }

  /** Clips may be others: the configuration of their locations has changed. */
  forget(): void {
    this.#known.clear();
  }

  /** Why a viewer is shown what. */
  explain(session: Session, live: StreamOutput | undefined): AdExplanation {
    const viewer = this.#viewers.get(session);
    const { decision, faults, notes } = readDecision(session.adInject);
    const plan = viewer?.output.plan;
    return {
      session_id: session.id,
      answer: session.adInject ?? null,
      faults: [...faults],
      notes: [...notes],
      clips: pathsOf(decision ?? NOTHING).map((path) => clipState(this.#clips(path), live)),
      shown: (plan?.showings ?? []).map(({ clip, placement, startMs, count, isShown }) => ({
        ...{ path: clip.path, placement, at: Math.round(startMs) },
        ...{ duration: clipMs(clip, count) / 1000, is_sent: isShown },
      })),
      skipped: (plan?.skips ?? []).map(({ atMs, differences: found, ...skip }) => ({
        ...skip,
        at: Math.round(atMs),
        differences: [...found],
      })),
    };
  }

  readonly #clips: ClipSource = (path) =>
    this.#known.get(path)?.clip ?? { path, reason: 'clip_not_ready', detail: `${path} was not read in time` };

  #renew(viewer: Viewer, answer: unknown): void {
    const isOther = !isDeepStrictEqual(viewer.answer, answer);
    viewer.answer = answer;
    if (!isOther) return;
    viewer.read = readDecision(answer);
    viewer.output.plan.renew(viewer.read.decision ?? NOTHING);
  }

  #refresh(decision: AdDecision | undefined): void {
    if (!decision) return;
    const nowMs = this.#options.clock.now();
    for (const path of pathsOf(decision))
      if (nowMs - (this.#known.get(path)?.lookedMs ?? -Infinity) > FRESH_MS) void this.#look(path);
  }

  async #look(path: string): Promise<void> {
    const known = this.#known.get(path);
    const lookedMs = this.#options.clock.now();
    if (known) known.lookedMs = lookedMs;
    const clip = await this.#options.files.open(path);
    this.#known.delete(path);
    this.#known.set(path, { clip, lookedMs });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}

function pathsOf({ prerolls, midrolls }: AdDecision): readonly string[] {
  return [...new Set([...prerolls, ...midrolls])];
}

function clipState(clip: Clip | MissingClip, live: StreamOutput | undefined): AdExplanation['clips'][number] {
  const { path } = clip;
  if ('reason' in clip) {
    const { reason: state, detail } = clip;
    return { path, state, detail, duration: null, differences: [] };
  }
  const found = live ? [...differences(clip.window, live.window)] : [];
  return {
    path,
    state: found.length > 0 ? 'clip_differs' : 'ready',
    detail: found.length > 0 ? 'Its media differs from that of the stream' : '',
    duration: clipMs(clip, segmentsOf(clip).length) / 1000,
    differences: found,
  };
}
