import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdExplanation } from '../../src-preload/contract/api/ad-objects.ts';
import type { ClipJobObject } from '../../src-preload/contract/api/file-processor-object.ts';
import type { MediaInfo } from '../../src-preload/contract/api/media-info.ts';
import { AirdeskProcess } from './airdesk-process.ts';
import { allow, AuthBackend } from './auth-backend.ts';
import { makeFiles } from './made-media.ts';
import { until } from './until.ts';

/** Base path of the administrative calls. */
export const AD_API = '/streamer/api/v3';
/** Duration of the clips: one second of black and one second of pictures. */
export const AD_CLIP_SECONDS = 2;
const LIMIT_MS = 60_000;
const LOGIN = { login: 'admin', password: 'a-long-phrase' };

/**
 * Server with a stream `cam`, a backend that decides about its viewers, and clips `ads/a.mp4` and `ads/b.mp4` fitted to it by
 * `file_processor`. Its administrative calls need a login.
 */
export class AdStage {
  readonly folder: string;
  readonly server: AirdeskProcess;
  readonly backend: AuthBackend;
  /** Media info of the stream. */
  target: MediaInfo = { streams: [], tracks: [] };
  /** The finished job that created the clips. */
  job: ClipJobObject | undefined;
  /** True if the job wrote to a temporary file until the clip was complete. */
  hadUnfinished = false;
  #viewers = 0;

  private constructor(server: AirdeskProcess, backend: AuthBackend, folder: string) {
    this.server = server;
    this.backend = backend;
    this.folder = folder;
  }

  /** @param more streams besides the standard ones, and environment variables of the server */
  static async start(
    more: {
      readonly streams?: (backendUrl: string) => string;
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<AdStage> {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-ad-rows-'));
    const backend = await AuthBackend.start();
    writeFileSync(join(folder, 'answer.json'), JSON.stringify({ ad_inject: { v: 1, preroll: 'ads/a.mp4' } }));
    const server = await AirdeskProcess.start(
      `api_auth { login ${LOGIN.login}; password ${LOGIN.password}; }
       event_sink shown { url jsonlog://shown.jsonl; only event=ad_inject,ad_skipped,ad_answer; }
       vod ads { storage ${folder}; }
       stream cam { input fake://?width=320&height=180&bitrate=300; segment_duration 1; on_play ${backend.url}/cam; }
       stream tried { input copy://cam; segment_duration 1; on_play ${folder}/answer.json; }
       ${more.streams?.(backend.url) ?? ''}`,
      more.env ? { env: more.env } : {},
    );
    const stage = new AdStage(server, backend, folder);
    try {
      await stage.#makeClips();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  async close(): Promise<void> {
    await this.server.dispose();
    await this.backend.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Makes an administrative call. @param login as Basic credentials; default: the correct one */
  async call(
    method: string,
    path: string,
    body?: object,
    login = `${LOGIN.login}:${LOGIN.password}`,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answered = await fetch(`${this.server.url}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answered.text();
    return { status: answered.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  async read<Body>(path: string): Promise<Body> {
    // The reply has the documented type.
    return (await this.call('GET', path)).body as Body;
  }

  /** Viewer with its own decision. */
  viewer(adInject: object): AdViewer {
    const token = `viewer-${this.#viewers++}`;
    this.backend.byToken.set(token, allow({}, JSON.stringify({ ad_inject: adInject })));
    return new AdViewer(this, token);
  }

  /** Faults of a decision. */
  async faults(adInject: object): Promise<string[]> {
    return (await this.viewer(adInject).explain()).faults;
  }

  /** Events about shown clips, as sent to a sink. */
  shownEvents(): Record<string, unknown>[] {
    return this.#events().filter(({ event }) => event === 'ad_inject');
  }

  /** Events about skipped clips. */
  skippedEvents(): Record<string, unknown>[] {
    return this.#events().filter(({ event }) => event === 'ad_skipped');
  }

  /** Events about invalid decisions. */
  answerEvents(): Record<string, unknown>[] {
    return this.#events().filter(({ event }) => event === 'ad_answer');
  }

  #events(): Record<string, unknown>[] {
    const file = join(this.server.folder, 'data', 'shown.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async #makeClips(): Promise<void> {
    const sources = [
      '-f',
      'lavfi',
      '-i',
      `testsrc=size=400x300:rate=30:duration=${AD_CLIP_SECONDS - 1}`,
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=300:sample_rate=44100:duration=${AD_CLIP_SECONDS - 1}`,
    ];
    const coding = ['-c:v', 'mpeg4', '-c:a', 'mp3', 'raw.mkv'];
    makeFiles(this.folder, [...sources, ...coding]);
    this.target = await until(
      'media info',
      async () => {
        const { stats } = await this.read<{ stats: { media_info: MediaInfo | null } }>(`${AD_API}/streams/cam`);
        return stats.media_info?.tracks.length === 2 ? stats.media_info : undefined;
      },
      LIMIT_MS,
    );
    await this.call('PUT', `${AD_API}/file_processor`, { path: 'ads' });
    const { body } = await this.call('POST', `${AD_API}/file_processor/jobs`, {
      input_files: ['raw.mkv'],
      output_file: 'one',
      lead_in: 1000,
      filters: [{ group: 'transcoder', transcoder: this.target }],
    });
    const { id, output_file: name } = body as ClipJobObject;
    this.job = await until(
      'the clip',
      async () => {
        this.hadUnfinished ||= existsSync(join(this.folder, `${name}.tmp`)) && !existsSync(join(this.folder, name));
        const now = await this.read<ClipJobObject>(`${AD_API}/file_processor/jobs/${id}`);
        return now.status === 'done' || now.status === 'error' ? now : undefined;
      },
      LIMIT_MS,
    );
    for (const copied of ['a.mp4', 'b.mp4']) copyFileSync(join(this.folder, name), join(this.folder, copied));
    // A clip is skipped until it is indexed.
    const viewer = this.viewer({ preroll: ['ads/a.mp4', 'ads/b.mp4'] });
    await until(
      'clips that are ready',
      async () => (await viewer.explain()).clips.every(({ state }) => state === 'ready'),
      LIMIT_MS,
    );
  }
}

/** Viewer of the stream `cam`, with a token. */
export class AdViewer {
  readonly token: string;
  readonly #stage: AdStage;

  constructor(stage: AdStage, token: string) {
    this.#stage = stage;
    this.token = token;
  }

  /** Loads an address of the stream. */
  async load(path: string): Promise<string> {
    const separator = path.includes('?') ? '&' : '?';
    return (await fetch(`${this.#stage.server.url}/cam/${path}${separator}token=${this.token}`)).text();
  }

  get sessionId(): string {
    return this.#stage.backend.requestsAbout(this.token).at(-1)?.facts['session_id'] ?? '';
  }

  /** Loads the playlists; returns the plan of advertisements. */
  async explain(): Promise<AdExplanation> {
    await this.load('index.m3u8');
    await this.load('v1/index.m3u8');
    return this.explained();
  }

  async explained(): Promise<AdExplanation> {
    return this.#stage.read(`${AD_API}/streams/cam/ads/explain?session=${this.sessionId}`);
  }

  /** Returns the plan of advertisements as soon as it has a number of clips. */
  async shown(count: number): Promise<AdExplanation['shown']> {
    return until(
      `${count} clips`,
      async () => {
        const { shown } = await this.explain();
        return shown.length >= count ? shown : undefined;
      },
      LIMIT_MS,
      async () => JSON.stringify(await this.explained()),
    );
  }

  /** Returns the placements and paths of the plan as soon as it has a number of clips. */
  async paths(count: number): Promise<string[]> {
    return (await this.shown(count)).slice(0, count).map(({ path, placement }) => `${placement} ${path}`);
  }

  /** Addresses of video in the playlist, as soon as a clip is planned. */
  async addresses(): Promise<string[]> {
    await this.shown(1);
    const playlist = await this.load('v1/index.m3u8');
    return playlist.split('\n').filter((line) => line.includes('.m4s') && !line.startsWith('#'));
  }
}

/** Whether an address belongs to a segment of a clip, in which the name of the file precedes the time. */
export function isOfClip(address: string): boolean {
  return /^[a-z0-9]+-\d+\.m4s/.test(address);
}
