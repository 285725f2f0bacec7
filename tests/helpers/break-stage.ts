import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import { AirdeskProcess } from './airdesk-process.ts';
import { allow, AuthBackend } from './auth-backend.ts';
import { KnownUnits, type ExpectedBreaks } from './break-proof.ts';
import { encodeNumbered, READABLE_SIZE } from './numbered-media.ts';
import { until } from './until.ts';

const API = 'streamer/api/v3';
const LIMIT_MS = 60_000;
/**
 * Folder in memory for the clips: while other tests write, a disk may not answer for seconds, and the server then leaves out a clip
 * for half a minute.
 */
const MEMORY_DISK = '/dev/shm';
const SEGMENT_MS = 1000;
/** Interval of break starts, and duration of a break. */
export const BREAK_EACH_MS = 5000;
const BREAK_MS = 3000;
/** Notice of a break. */
const SOON_MS = 1500;
/** One clip has other parameter sets than the stream. */
const CLIPS = [
  { name: 'a', seconds: 2, options: ['-refs', '2'] },
  { name: 'b', seconds: 1, options: [] },
  { name: 'c', seconds: 2, options: [] },
] as const;
/**
 * Clips of a break, by its kind: with `interval` all clips are complete, with `splicing` the end of the break cuts the
 * second clip.
 */
const SHOWN = { interval: ['a', 'b'], splicing: ['a', 'c'] } as const;

/** Kind of breaks. */
export interface BreakKind {
  readonly v: 1 | 2;
  readonly insertBy: 'interval' | 'splicing';
}

/**
 * Server with a live stream `cam` of numbered pictures and two audio tracks (clips have one), and viewers who get a
 * break of three seconds every five seconds.
 */
export class BreakStage {
  readonly folder: string;
  readonly knownUnits: KnownUnits;
  readonly server: AirdeskProcess;
  readonly backend: AuthBackend;
  readonly #encoder: ChildProcess;
  readonly #over: Promise<never>;
  #eventId = 0;
  /** Number of viewers before those of the test. */
  #early = 0;
  #splicedMs = 0;

  private constructor(folder: string, knownUnits: KnownUnits, server: AirdeskProcess, backend: AuthBackend) {
    this.folder = folder;
    this.knownUnits = knownUnits;
    this.server = server;
    this.backend = backend;
    const send = ['-v', 'error', '-nostdin', '-re', '-i', join(folder, 'programme.mp4'), '-map', '0', '-c', 'copy'];
    const target = ['-f', 'mpegts', '-method', 'POST', '-chunked_post', '1', `${server.url}/cam/mpegts`];
    this.#encoder = spawn('ffmpeg', [...send, ...target], { stdio: 'ignore' });
    this.#over = once(this.#encoder, 'exit').then(() => {
      throw new Error('the programme is over');
    });
    this.#over.catch(() => undefined);
  }

  /**
   * @param seconds duration of the programme, which is sent once
   * @param segmentCount complete segments in the window
   * @param isKnown whether units are identified by their bytes, for which all of them are decoded
   */
  static async start(seconds: number, segmentCount: number, isKnown = true): Promise<BreakStage> {
    const folder = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'airdesk-break-stage-'));
    // VLC does not run as root.
    chmodSync(folder, 0o755);
    encodeNumbered(join(folder, 'programme.mp4'), { seconds, seed: 0, size: READABLE_SIZE, sounds: 2 });
    for (const [index, { name, seconds: length, options }] of CLIPS.entries())
      encodeNumbered(join(folder, `${name}.mp4`), { seconds: length, seed: index + 1, options, size: READABLE_SIZE });
    const knownUnits = isKnown ? await KnownUnits.read(folder, CLIPS, 2) : new KnownUnits();
    const backend = await AuthBackend.start();
    const server = await AirdeskProcess.start(
      `vod ads { storage ${folder}; }
       stream cam {
         input publish://; on_play ${backend.url}/cam; segment_duration ${SEGMENT_MS / 1000}; segment_count ${segmentCount}; dvr archive; ad_breaks archive=clips;
       }`,
    );
    const stage = new BreakStage(folder, knownUnits, server, backend);
    for (const track of ['v1', 'a1', 'a2'])
      await until(track, async () => (await fetch(`${server.url}/cam/${track}/index.m3u8?token=first`)).ok, LIMIT_MS);
    await until('a viewer for whom the clips were read', () => stage.#areClipsRead(), LIMIT_MS);
    return stage;
  }

  /** Whether a new viewer gets all clips: on a busy machine, those of the first viewers are not read in time. */
  async #areClipsRead(): Promise<boolean> {
    const token = `early-${this.#early++}`;
    const preroll = CLIPS.map(({ name }) => `ads/${name}.mp4`);
    const query = this.viewer(token, { v: 1, insertBy: 'splicing' }, preroll);
    for (const path of ['index.m3u8', 'v1/index.m3u8'])
      await (await fetch(`${this.server.url}/cam/${path}?${query}`)).text();
    const { clips } = await this.explain(token);
    return clips.length > 0 && clips.every(({ state }) => state !== 'clip_not_ready');
  }

  async close(): Promise<void> {
    if (this.#encoder.exitCode === null) {
      const ended = once(this.#encoder, 'exit');
      this.#encoder.kill('SIGKILL');
      await ended;
    }
    await this.server.dispose();
    await this.backend.close();
    rmSync(this.folder, { recursive: true });
  }

  /**
   * Runs a function while the programme is sent. Fails at the end of the programme, because no more media would arrive.
   */
  async whileOnAir<T>(run: Promise<T>): Promise<T> {
    return Promise.race([run, this.#over]);
  }

  /** Request parameters of a viewer for breaks of a kind. */
  viewer(token: string, { v, insertBy }: BreakKind, preroll: readonly string[] = []): string {
    const midroll = SHOWN[insertBy].map((clip) => `ads/${clip}.mp4`);
    const by = { midroll_insert_by: insertBy, midroll_interval: (BREAK_EACH_MS - BREAK_MS) / 1000 };
    this.backend.byToken.set(token, allow({}, JSON.stringify({ ad_inject: { v, preroll, midroll, ...by } })));
    return `token=${token}`;
  }

  /** Announces a break by splice points. Waits until the stream is on air again after the previous break. */
  async splice(): Promise<void> {
    this.#splicedMs = Math.max(Date.now() + SOON_MS, this.#splicedMs + BREAK_EACH_MS);
    const { status } = await fetch(`${this.server.url}/${API}/streams/cam/ads/splice_insert`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ at: this.#splicedMs, duration: BREAK_MS / 1000, event_id: ++this.#eventId }),
    });
    if (status !== 202) throw new Error(`the splice point is answered with ${status}`);
  }

  /**
   * Address of the archive around the last break that `splice` announced, from a number of seconds before the break.
   */
  archive(ending: string, beforeSeconds: number): string {
    const fromSeconds = Math.floor(this.#splicedMs / 1000) - beforeSeconds;
    // The archive lists only segments completely inside the range: one segment less on each side.
    return `${this.server.url}/cam/archive-${fromSeconds}-${2 * beforeSeconds + BREAK_MS / 1000 + 2}.${ending}`;
  }

  /** Expected breaks of a kind. */
  expectedBreaks({ v, insertBy }: BreakKind): ExpectedBreaks {
    const clips = CLIPS.filter(({ name }) => (SHOWN[insertBy] as readonly string[]).includes(name));
    return { form: v === 1 ? 'separate' : 'in_place', clips, segmentMs: SEGMENT_MS };
  }

  /** Paths of the clips that were sent to a viewer, in order, from the as-run log. */
  async showings(token: string): Promise<readonly string[]> {
    const sessionId = this.backend.requestsAbout(token).at(-1)?.facts['session_id'] ?? '';
    const answered = await fetch(`${this.server.url}/${API}/ads/as_run?session_id=${sessionId}&sort=sent_at`);
    // The reply has the documented type.
    return ((await answered.json()) as { as_run: { path: string }[] }).as_run.map(({ path }) => path);
  }

  async explain(token: string): Promise<AdExplanation> {
    const sessionId = this.backend.requestsAbout(token).at(-1)?.facts['session_id'] ?? '';
    const answered = await fetch(`${this.server.url}/${API}/streams/cam/ads/explain?session=${sessionId}`);
    // The reply has the documented type.
    return (await answered.json()) as AdExplanation;
  }
}
