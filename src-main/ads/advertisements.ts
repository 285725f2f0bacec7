import type { MediaResource } from '../delivery/media-address.ts';
import type { StreamOutput } from '../delivery/stream-output.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { Session } from '../sessions/session.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from './decision/ad-decision.ts';
import type { AdOutput } from './ad-output.ts';
import { viewerOutput } from './viewer-output.ts';
import { ArchiveBreaks, type ArchivedSegment, type Recording } from './archive-breaks.ts';
import { segmentsOf, type Skip } from './clips/clip.ts';
import { clipState, explanationOf } from './proof/explanation.ts';
import { CachedClips, type ClipSupply } from './clips/cached-clips.ts';
import { Decisions } from './decision/decisions.ts';
import { playsAcross } from './decision/played-form.ts';
import { readDecision, type ReadDecision } from './decision/read-decision.ts';
import type { Showing } from './proof/showing.ts';

export interface AdvertisementsOptions extends ClipSupply {
  /**
   * Break rules of a stream, used if the answer has none. Returns the same object until the rules change. Default:
   * the rules of the specification.
   */
  readonly rulesOf?: (stream: string) => BreakRules;
  /** Called when a viewer gets the first segment of a clip or another quarter of it, and when the clip ends. */
  readonly played: (play: Play) => void;
  /** Called when a clip or a break is left out for a viewer. */
  readonly skipped?: (session: Session, skip: Skip) => void;
  /** Called when the answer for a session has faults or cannot be followed exactly. */
  readonly answered?: (session: Session, read: ReadDecision) => void;
}

/** Progress of a clip for a viewer. */
export interface Play {
  readonly session: Session;
  readonly showing: Showing;
  readonly insertBy: AdDecision['insertBy'];
  /**
   * Quarters of the clip that have just been reached, in percent: 0 with the first segment, 100 with the last one.
   * Empty at the end of the clip.
   */
  readonly reached: readonly Progress[];
}

/** Reached part of a clip in percent, in quarters. */
type Progress = 0 | 25 | 50 | 75 | 100;
const QUARTERS = [25, 50, 75, 100] as const;

/** State of one viewer. */
interface Watching {
  /** Showing of the segment that was delivered last. */
  last: Showing | undefined;
  read: ReadDecision;
}

interface Viewer extends Watching {
  readonly output: AdOutput;
}

/** Viewer of an archive. `breaks` is undefined if the answer has no clips for archives. */
interface ArchiveViewer extends Watching {
  readonly breaks: ArchiveBreaks | undefined;
}

const NOTHING: AdDecision = {
  form: 'separate',
  prerolls: [],
  midrolls: [],
  insertBy: 'interval',
  intervalMs: undefined,
  rules: USUAL_RULES,
};

/** Advertisements of all viewers: answers of backends, their clips, and the outputs that show them. */
export class Advertisements {
  readonly #options: AdvertisementsOptions;
  readonly #clips: CachedClips;
  readonly #decisions: Decisions;
  readonly #viewers = new Map<Session, Viewer>();
  readonly #archives = new Map<Session, ArchiveViewer>();

  constructor(options: AdvertisementsOptions) {
    this.#options = options;
    this.#clips = new CachedClips(options);
    this.#decisions = new Decisions(options.answered);
  }

  /** Reads the clips of an answer before the viewer is admitted. Takes at most `READ_MS` (cached-clips.ts). */
  async prepare(verdict: Verdict, stream: string): Promise<void> {
    const { decision } = readDecision(verdict.kind === 'allow' ? verdict.adInject : undefined, this.#rulesOf(stream));
    if (!decision) return;
    await this.#clips.prepare(pathsOf(decision));
  }

  /**
   * Output for a session: the viewer's own view of the stream, or the stream unchanged.
   * @param kind kind of the requested resource. MPEG-TS playlists contain the clips, because their players do not
   * support interstitials
   */
  outputFor(
    session: Session | undefined,
    live: StreamOutput | undefined,
    kind?: MediaResource['kind'],
  ): StreamOutput | undefined {
    if (!session || !live || (session.proto !== 'hls' && session.proto !== 'dash')) return live;
    const rules = this.#rulesOf(live.name);
    if (session.adInject === undefined && !this.#viewers.has(session)) return live;
    const read = this.#decisions.of(session, rules);
    const { decision } = read;
    const current = this.#viewers.get(session);
    if (current && current.output.live === live) {
      if (current.read !== read) current.output.plan.renew(decision ?? NOTHING);
      current.read = read;
      this.#refresh(decision);
      return current.output;
    }
    this.#leave(session);
    if (!decision) return live;
    const output = viewerOutput({
      live,
      decision,
      clips: this.#clips.source,
      asInterstitials: rules.hls === 'interstitials' && session.proto === 'hls' && kind !== 'ts-playlist',
      hasPeriods: rules.dash === 'periods' && session.proto === 'dash' && playsAcross(session),
      loadsFullSegments: session.proto === 'dash',
      delivered: ({ showing }) => {
        this.#count(session, viewer, showing);
      },
      skipped: (skip) => {
        this.#options.skipped?.(session, skip);
      },
      unreadable: this.#clips.unreadable,
    });
    const viewer: Viewer = { output, last: undefined, read };
    this.#viewers.set(session, viewer);
    return output;
  }

  /**
   * Output for a segment of an archive: with clips if it is in a break, otherwise as recorded. Throws if the archive cannot be
   * read.
   *
   * @param found output with the recorded segment
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

  /** Reports the end of the last clip and forgets the session. */
  closed(session: Session): void {
    const archive = this.#archives.get(session);
    this.#archives.delete(session);
    if (archive) this.#end(session, archive);
    this.#leave(session);
  }

  /** Closes the live output of a session. */
  #leave(session: Session): void {
    const viewer = this.#viewers.get(session);
    if (!viewer) return;
    viewer.output.close();
    this.#viewers.delete(session);
    this.#end(session, viewer);
  }

  /** Drops all cached clips, because the configuration of their locations has changed. */
  forget(): void {
    this.#clips.forget();
  }

  /** Explains the breaks, clips and skips of a session. */
  explain(session: Session, live: StreamOutput | undefined): ReturnType<typeof explanationOf> {
    const viewer = this.#viewers.get(session);
    const read = this.#decisions.of(session, this.#rulesOf(session.name));
    const plan = viewer?.output.plan;
    const archive = this.#archives.get(session)?.breaks;
    return explanationOf(session, read, {
      clips: pathsOf(read.decision ?? NOTHING).map((path) => clipState(this.#clips.source(path), live?.window)),
      showings: [...(plan?.showings ?? []), ...(archive?.showings ?? [])],
      skips: [...(plan?.skips ?? []), ...(archive?.skips ?? [])],
    });
  }

  #archiveViewer(session: Session, rules: BreakRules): ArchiveViewer {
    const read = this.#decisions.of(session, rules);
    const current = this.#archives.get(session);
    if (current?.read === read) return current;
    if (current) this.#end(session, current);
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
    const viewer: ArchiveViewer = { last: undefined, read, breaks };
    this.#archives.set(session, viewer);
    return viewer;
  }

  #rulesOf(stream: string): BreakRules {
    return this.#options.rulesOf?.(stream) ?? USUAL_RULES;
  }

  /** Counts a delivered segment and reports the quarters reached. */
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

  /** Reports the end of the last showing: another clip follows, or the viewer has left. */
  #end(session: Session, viewer: Watching): void {
    const { last } = viewer;
    viewer.last = undefined;
    if (last) this.#options.played({ session, showing: last, insertBy: insertByOf(viewer), reached: [] });
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
