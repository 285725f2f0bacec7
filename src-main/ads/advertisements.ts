import { isDeepStrictEqual } from 'node:util';
import type { MediaResource } from '../delivery/media-address.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { Session } from '../sessions/session.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from './ad-decision.ts';
import { AdOutput } from './ad-output.ts';
import { ArchiveBreaks, type ArchivedSegment, type Recording } from './archive-breaks.ts';
import { segmentsOf, type Showing, type Skip } from './clip.ts';
import { clipState, explanationOf } from './explanation.ts';
import { KnownClips, type ClipSupply } from './known-clips.ts';
import { goesOver, playedFor } from './played-form.ts';
import { readDecision, type ReadDecision } from './read-decision.ts';

/** What insertion needs. */
export interface AdvertisementsOptions extends ClipSupply {
  /** How breaks of a stream play where the answer says nothing; the same object as long as nothing changes. By default as the specification has it. */
  readonly rulesOf?: (stream: string) => BreakRules;
  /** A viewer has got the first segment of a clip, a quarter of it more, or nothing more of it. */
  readonly played: (play: Play) => void;
  /** A clip or a break was left out for a viewer. */
  readonly skipped?: (session: Session, skip: Skip) => void;
  /** The answer for a session has faults, or is read otherwise than it says. */
  readonly answered?: (session: Session, read: ReadDecision) => void;
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

/** What a viewer is shown by one answer. */
interface Watching {
  /** What was delivered last. */
  last: Showing | undefined;
  answer: unknown;
  rules: BreakRules;
  read: ReadDecision;
}

/** A viewer with advertisements. */
interface Viewer extends Watching {
  readonly output: AdOutput;
}

/** A viewer of an archive; without breaks where nothing of the answer is for archives. */
interface ArchiveViewer extends Watching {
  readonly breaks: ArchiveBreaks | undefined;
}

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
  readonly #clips: KnownClips;
  readonly #viewers = new Map<Session, Viewer>();
  readonly #archives = new Map<Session, ArchiveViewer>();
  /** Answers without a decision: they are not read again with each request. */
  readonly #without = new WeakMap<Session, unknown>();

  constructor(options: AdvertisementsOptions) {
    this.#options = options;
    this.#clips = new KnownClips(options);
  }

  /** Reads the clips of an answer before the viewer is let in, in bounded time. */
  async prepare(verdict: Verdict, stream: string): Promise<void> {
    const { decision } = readDecision(verdict.kind === 'allow' ? verdict.adInject : undefined, this.#rulesOf(stream));
    if (!decision) return;
    await this.#clips.prepare(pathsOf(decision));
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
      if (known.answer !== session.adInject || known.rules !== rules) this.#renew(session, known, rules);
      this.#refresh(known.read.decision);
      return known.output;
    }
    if (!known && (session.adInject === undefined || this.#without.get(session) === session.adInject)) return live;
    this.#leave(session);
    const read = this.#read(session, rules);
    const { decision } = playedFor(session, read);
    if (!decision) {
      this.#without.set(session, session.adInject);
      return live;
    }
    const output = new AdOutput({
      live,
      decision,
      clips: this.#clips.source,
      asInterstitials: rules.hls === 'interstitials' && session.proto === 'hls' && kind !== 'ts-playlist',
      hasPeriods: rules.dash === 'periods' && session.proto === 'dash' && goesOver(session),
      loadsWhole: session.proto === 'dash',
      delivered: ({ showing }) => {
        this.#count(session, viewer, showing);
      },
      skipped: (skip) => {
        this.#options.skipped?.(session, skip);
      },
      unreadable: this.#clips.unreadable,
    });
    const viewer: Viewer = { output, last: undefined, answer: session.adInject, rules, read };
    this.#viewers.set(session, viewer);
    return output;
  }

  /**
   * What a segment of an archive is served from: with clips in it where it is in a break, or as it was recorded. Raises what keeps the archive from being read.
   *
   * @param found the segment as it was recorded
   */
  async recordedFor(
    session: Session,
    found: StreamOutput,
    segment: ArchivedSegment,
    open: Recording,
  ): Promise<StreamOutput> {
    const rules = this.#rulesOf(found.name);
    if (rules.archive !== 'clips' || session.adInject === undefined) return found;
    if (session.proto !== 'hls' && session.proto !== 'dash') return found;
    const viewer = this.#archiveViewer(session, rules);
    if (!viewer.breaks) return found;
    this.#refresh(viewer.read.decision);
    return (await viewer.breaks.outputFor(segment, open)) ?? found;
  }

  /** The session is over. */
  closed(session: Session): void {
    const archive = this.#archives.get(session);
    this.#archives.delete(session);
    if (archive) this.#end(session, archive);
    this.#leave(session);
  }

  /** The output of a session is over. */
  #leave(session: Session): void {
    const viewer = this.#viewers.get(session);
    if (!viewer) return;
    viewer.output.close();
    this.#viewers.delete(session);
    this.#end(session, viewer);
  }

  /** Clips may be others: the configuration of their locations has changed. */
  forget(): void {
    this.#clips.forget();
  }

  /** Why a viewer is shown what. */
  explain(session: Session, live: StreamOutput | undefined): ReturnType<typeof explanationOf> {
    const viewer = this.#viewers.get(session);
    const read = playedFor(session, readDecision(session.adInject, viewer?.rules));
    const plan = viewer?.output.plan;
    const archive = this.#archives.get(session)?.breaks;
    return explanationOf(session, read, {
      clips: pathsOf(read.decision ?? NOTHING).map((path) => clipState(this.#clips.source(path), live?.window)),
      showings: [...(plan?.showings ?? []), ...(archive?.showings ?? [])],
      skips: [...(plan?.skips ?? []), ...(archive?.skips ?? [])],
    });
  }

  #archiveViewer(session: Session, rules: BreakRules): ArchiveViewer {
    const known = this.#archives.get(session);
    if (known && known.rules === rules && isDeepStrictEqual(known.answer, session.adInject)) return known;
    if (known) this.#end(session, known);
    const answer = session.adInject;
    const read = readDecision(answer, rules);
    const { decision } = read;
    const isBySplices = decision?.insertBy === 'splicing' && decision.midrolls.length > 0;
    const breaks = isBySplices
      ? new ArchiveBreaks(decision, {
          clips: this.#clips.source,
          delivered: ({ showing }) => {
            this.#count(session, viewer, showing);
          },
          unreadable: this.#clips.unreadable,
        })
      : undefined;
    const viewer: ArchiveViewer = { last: undefined, answer, rules, read, breaks };
    this.#archives.set(session, viewer);
    return viewer;
  }

  #rulesOf(stream: string): BreakRules {
    return this.#options.rulesOf?.(stream) ?? USUAL_RULES;
  }

  /** Counts a segment that was delivered. */
  #count(session: Session, viewer: Watching, showing: Showing): void {
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
  #end(session: Session, viewer: Watching): void {
    const { last } = viewer;
    viewer.last = undefined;
    if (last) this.#options.played({ session, showing: last, insertBy: insertByOf(viewer), reached: [] });
  }

  /** Reads the answer for a session, and says what is wrong with it. */
  #read(session: Session, rules: BreakRules): ReadDecision {
    const read = readDecision(session.adInject, rules);
    if (read.faults.length + read.notes.length > 0) this.#options.answered?.(session, read);
    return read;
  }

  #renew(session: Session, viewer: Viewer, rules: BreakRules): void {
    const answer = session.adInject;
    const isOther = viewer.rules !== rules || !isDeepStrictEqual(viewer.answer, answer);
    viewer.answer = answer;
    viewer.rules = rules;
    if (!isOther) return;
    viewer.read = this.#read(session, rules);
    viewer.output.plan.renew(viewer.read.decision ?? NOTHING);
  }

  #refresh(decision: AdDecision | undefined): void {
    if (decision) this.#clips.refresh(pathsOf(decision));
  }
}

function insertByOf({ read }: Watching): AdDecision['insertBy'] {
  return (read.decision ?? NOTHING).insertBy;
}

function pathsOf({ prerolls, midrolls, rules }: AdDecision): readonly string[] {
  return [...new Set([...prerolls, ...midrolls, ...(typeof rules.fill === 'string' ? [] : [rules.fill.slate])])];
}
