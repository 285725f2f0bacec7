import { isDeepStrictEqual } from 'node:util';
import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import type { MediaResource } from '../delivery/media-address.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Clock } from '../lib/clock.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { Session } from '../sessions/session.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from './ad-decision.ts';
import { AdOutput } from './ad-output.ts';
import { clipMs, segmentsOf, type Clip, type ClipSource, type MissingClip, type Showing, type Skip } from './clip.ts';
import { breaksOf } from './explained-breaks.ts';
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
  /** How breaks of a stream play where the answer says nothing; the same object as long as nothing changes. By default as the specification has it. */
  readonly rulesOf?: (stream: string) => BreakRules;
  /** A viewer has got the first segment of a clip, a quarter of it more, or nothing more of it. */
  readonly played: (play: Play) => void;
  /** A clip or a break was left out for a viewer. */
  readonly skipped?: (session: Session, skip: Skip) => void;
}

/** How much of a clip has gone to a viewer. */
export interface Play {
  readonly session: Session;
  readonly showing: Showing;
  readonly insertBy: AdDecision['insertBy'];
  /** The quarters of the clip that have gone now, in percent: 0 with its first segment, 100 with its last one. Empty where no more of it will go. */
  readonly reached: readonly Progress[];
}

/** Percent of a clip, in quarters. */
type Progress = 0 | 25 | 50 | 75 | 100;
const QUARTERS = [25, 50, 75, 100] as const;

/** A viewer with advertisements. */
interface Viewer {
  readonly output: AdOutput;
  /** What was delivered last. */
  last: Showing | undefined;
  answer: unknown;
  rules: BreakRules;
  read: ReadDecision;
}

/** How long a viewer waits for the clips of the decision, in milliseconds. */
const READ_MS = 1000;
/** Clips that are known, the longest unused go first. */
const MOST_KNOWN = 10_000;
/** A clip that could not be read is not shown for so long, in milliseconds. */
const FAULT_MS = 30_000;
/** After that time it is looked whether a clip is another one, in milliseconds. */
const FRESH_MS = 2000;

const NOTHING: AdDecision = {
  form: 'apart',
  prerolls: [],
  midrolls: [],
  insertBy: 'interval',
  intervalMs: undefined,
  rules: USUAL_RULES,
};

/** The advertisements of all viewers: what their backends answered, the clips of it, and the outputs that show them. */
export class Advertisements {
  readonly #options: AdvertisementsOptions;
  readonly #viewers = new Map<Session, Viewer>();
  /** Answers without a decision: they are not read again with each request. */
  readonly #without = new WeakMap<Session, unknown>();
  /** Clips that could not be read, and until when they are left out. */
  readonly #faults = new Map<string, { readonly detail: string; readonly untilMs: number }>();
  readonly #known = new Map<string, { readonly clip: Clip | MissingClip; lookedMs: number }>();

  constructor(options: AdvertisementsOptions) {
    this.#options = options;
  }

  /** Reads the clips of an answer before the viewer is let in, in bounded time. */
  async prepare(verdict: Verdict, stream: string): Promise<void> {
    const { decision } = readDecision(verdict.kind === 'allow' ? verdict.adInject : undefined, this.#rulesOf(stream));
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

  /**
   * What a session is served from: its own view of a stream, or the stream as it is.
   *
   * @param kind what is asked for: playlists of MPEG-TS have the clips in them, because their players know no interstitials
   */
  outputFor(
    session: Session | undefined,
    live: StreamOutput | undefined,
    kind?: MediaResource['kind'],
  ): StreamOutput | undefined {
    if (!session || !live || (session.proto !== 'hls' && session.proto !== 'dash')) return live;
    const rules = this.#rulesOf(live.name);
    const known = this.#viewers.get(session);
    if (known && known.output.live === live) {
      if (known.answer !== session.adInject || known.rules !== rules) this.#renew(known, session.adInject, rules);
      this.#refresh(known.read.decision);
      return known.output;
    }
    if (!known && (session.adInject === undefined || this.#without.get(session) === session.adInject)) return live;
    this.closed(session);
    const read = readDecision(session.adInject, rules);
    const { decision } = read;
    if (!decision) {
      this.#without.set(session, session.adInject);
      return live;
    }
    const output = new AdOutput({
      live,
      decision,
      clips: this.#clips,
      asInterstitials: rules.hls === 'interstitials' && session.proto === 'hls' && kind !== 'ts-playlist',
      delivered: ({ showing }) => {
        this.#count(session, viewer, showing);
      },
      skipped: (skip) => {
        this.#options.skipped?.(session, skip);
      },
      unreadable: ({ path }, detail) => {
        this.#faults.set(path, { detail, untilMs: this.#options.clock.now() + FAULT_MS });
      },
    });
    const viewer: Viewer = { output, last: undefined, answer: session.adInject, rules, read };
    this.#viewers.set(session, viewer);
    return output;
  }

  /** The session is over. */
  closed(session: Session): void {
    const viewer = this.#viewers.get(session);
    if (!viewer) return;
    viewer.output.close();
    this.#viewers.delete(session);
    this.#end(session, viewer);
  }

  /** Clips may be others: the configuration of their locations has changed. */
  forget(): void {
    this.#known.clear();
  }

  /** Why a viewer is shown what. */
  explain(session: Session, live: StreamOutput | undefined): AdExplanation {
    const viewer = this.#viewers.get(session);
    const { decision, faults, notes } = readDecision(session.adInject, viewer?.rules);
    const plan = viewer?.output.plan;
    return {
      session_id: session.id,
      answer: session.adInject ?? null,
      faults: [...faults],
      notes: [...notes, ...unansweredNotes(session)],
      clips: pathsOf(decision ?? NOTHING).map((path) => clipState(this.#clips(path), live)),
      breaks: breaksOf(plan?.showings ?? [], plan?.skips ?? []),
      shown: (plan?.showings ?? []).map(({ clip, placement, startMs, count, isSlate, delivered }) => ({
        ...{ path: clip.path, placement, at: Math.round(startMs) },
        ...{ duration: clipMs(clip, count) / 1000, is_slate: isSlate, is_sent: delivered.count > 0 },
      })),
      skipped: (plan?.skips ?? []).map(({ atMs, differences: found, breakId: _breakId, ...skip }) => ({
        ...skip,
        at: Math.round(atMs),
        differences: [...found],
      })),
    };
  }

  #rulesOf(stream: string): BreakRules {
    return this.#options.rulesOf?.(stream) ?? USUAL_RULES;
  }

  readonly #clips: ClipSource = (path) => {
    const fault = this.#faults.get(path);
    if (fault && this.#options.clock.now() < fault.untilMs)
      return { path, reason: 'clip_unusable', detail: fault.detail };
    if (fault) this.#faults.delete(path);
    return this.#known.get(path)?.clip ?? { path, reason: 'clip_not_ready', detail: `${path} was not read in time` };
  };

  /** Counts a segment that was delivered. */
  #count(session: Session, viewer: Viewer, showing: Showing): void {
    if (viewer.last && viewer.last !== showing) this.#end(session, viewer);
    viewer.last = showing;
    const { clip, delivered } = showing;
    const total = segmentsOf(clip).length;
    const has = (count: number, percent: number): boolean => count * 100 >= percent * total;
    const reached = QUARTERS.filter((percent) => has(delivered.count, percent) && !has(delivered.count - 1, percent));
    const all: readonly Progress[] = delivered.count === 1 ? [0, ...reached] : reached;
    if (all.length > 0) this.#options.played({ session, showing, insertBy: insertByOf(viewer), reached: all });
  }

  /** Another clip follows, or the viewer has left. */
  #end(session: Session, viewer: Viewer): void {
    const { last } = viewer;
    viewer.last = undefined;
    if (last) this.#options.played({ session, showing: last, insertBy: insertByOf(viewer), reached: [] });
  }

  #renew(viewer: Viewer, answer: unknown, rules: BreakRules): void {
    const isOther = viewer.rules !== rules || !isDeepStrictEqual(viewer.answer, answer);
    viewer.answer = answer;
    viewer.rules = rules;
    if (!isOther) return;
    viewer.read = readDecision(answer, rules);
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

/** What follows from a question that the backend did not answer. */
function unansweredNotes({ unanswered, adInject }: Session): string[] {
  if (unanswered === undefined) return [];
  const rest = adInject === undefined ? 'nothing is inserted' : 'its last answer counts';
  return [`The backend did not answer the last time (${unanswered}): ${rest}`];
}

function insertByOf({ read }: Viewer): AdDecision['insertBy'] {
  return (read.decision ?? NOTHING).insertBy;
}

function pathsOf({ prerolls, midrolls, rules }: AdDecision): readonly string[] {
  return [...new Set([...prerolls, ...midrolls, ...(typeof rules.fill === 'string' ? [] : [rules.fill.slate])])];
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
