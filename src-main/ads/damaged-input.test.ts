import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../tests/helpers/archive-stage.ts';
import { windowFaults } from '../../tests/helpers/check-window.ts';
import type { PictureCodec } from '../../tests/helpers/coded-source.ts';
import { anyDamages, damaged } from '../../tests/helpers/damaged-bytes.ts';
import { DashClient } from '../../tests/helpers/dash-client.ts';
import { HlsClients } from '../../tests/helpers/hls-clients.ts';
import {
  anyMutation,
  asTransportStream,
  plainMutation,
  type ArrivingBytes,
} from '../../tests/helpers/mutated-source.ts';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { RewindWindow } from '../dvr/window/rewind-window.ts';
import { MpegTsReader } from '../media/containers/mpegts/reader.ts';
import { renderMultivariant } from '../packaging/hls/multivariant-playlist.ts';
import { renderTsPlaylist } from '../packaging/hls/ts-playlist.ts';
import { muxTsSegment } from '../packaging/mpegts/segment.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import { inStream } from './clips/clip-in-stream.ts';
import type { Clip } from './clips/clip.ts';
import type { AdDecision } from './decision/ad-decision.ts';
import { viewerOutput } from './viewer-output.ts';

// Viewers of all kinds of live windows while input packets are lost and damaged: playlists stay valid, and nothing
// throws.

const SEARCHED = process.env['AIRDESK_RUNS'];
const RUNS = { numRuns: Number(SEARCHED ?? 8), ...(SEARCHED === undefined ? { seed: 188 } : {}) };
/** Time between the requests of the viewers. */
const REQUEST_MS = 200;
/** Depth of the window with recorded media. */
const DEPTH_MS = 3000;

const DECISION: AdDecision = {
  form: 'separate',
  midrolls: ['ad'],
  prerolls: ['ad'],
  insertBy: 'interval',
  intervalMs: 1000,
  rules: { overrun: 'cut', fill: 'repeat' },
};

/** Input without damage, with one format. */
function plainInput(codec: PictureCodec, gops: number): ArrivingBytes[] {
  return asTransportStream(
    plainMutation(
      codec,
      Array.from({ length: gops }, () => 0),
    ),
  );
}

/** Clip in the initial format of an input. */
function clipOf(codec: PictureCodec): Clip {
  const run = new StreamRun({ partMs: 1000, segmentMs: 1000, segmentCount: 10 });
  const reader = new MpegTsReader(run.hub, { isLive: true });
  for (const { bytes } of plainInput(codec, 2))
    run.feed(() => {
      reader.push(bytes);
    });
  run.feed(() => {
    reader.flush();
  });
  run.close();
  const { window } = run;
  const addressPrefix = 'ad-';
  const [first] = window.segments('v1');
  if (!first) throw new Error('the clip is empty');
  const { msn: firstMsn, startMs } = first;
  return {
    path: 'ad',
    addressPrefix,
    window: new ListWindow({
      tracks: window.tracks.map(({ track }) => ({
        track,
        segments: window.segments(track.id).map((entry) => ({ ...entry, address: `${addressPrefix}${entry.address}` })),
      })),
      inits: window.inits.map((init) => ({ ...init, addressPrefix })),
      periods: [{ firstMsn, startMs, mediaOffsetMs: startMs, addressPrefix }],
    }),
  };
}

const PLACEMENTS: readonly (Pick<AdDecision, 'form'> & Partial<Parameters<typeof viewerOutput>[0]>)[] = [
  { form: 'separate' },
  { form: 'separate', loadsFullSegments: true },
  { form: 'separate', asInterstitials: true },
  { form: 'in_place', hasPeriods: true },
];

/** Viewer of one kind of window, as a client of HLS, HLS with MPEG-TS, and DASH. */
class Viewer {
  readonly #name: string;
  readonly #window: ChangingWindow;
  readonly #hls: HlsClients;
  readonly #dash = new DashClient();
  #ts: ReadPlaylist | undefined;

  constructor(name: string, window: ChangingWindow) {
    this.#name = name;
    this.#window = window;
    // This playlist client accepts only the window of a stream.
    this.#hls = new HlsClients({ window } as unknown as ConstructorParameters<typeof HlsClients>[0]);
  }

  /** Reloads all playlists and MPDs, and returns their faults. */
  reload(nowMs: number): string[] {
    try {
      this.#hls.reload();
      this.#dash.update(this.#window, nowMs);
      renderMultivariant(this.#window);
      const text = renderTsPlaylist(this.#window);
      const ts = text === undefined ? undefined : readStrictPlaylist(text);
      if (this.#ts && ts) checkReload(this.#ts, ts);
      this.#ts = ts;
    } catch (error) {
      return [`${this.#name}: ${String(error)}`];
    }
    return this.#dash.faults.map((fault) => `${this.#name}: ${fault}`);
  }

  /** Muxes the newest complete segment. */
  async load(): Promise<void> {
    const [leader] = this.#window.tracks;
    const last = leader && this.#window.segments(leader.track.id).findLast(({ segment }) => segment.isComplete);
    if (last) await muxTsSegment(this.#window, last.msn);
  }
}

async function rewindOf(stage: ArchiveStage): Promise<RewindWindow | undefined> {
  const opening = stage.playback.open('c/03', { kind: 'rewind', depthMs: DEPTH_MS }, 1000);
  let isOpen = false;
  void opening.finally(() => (isOpen = true));
  for (let wait = 0; wait < 20 && !isOpen; wait++) {
    await settled();
    if (!isOpen) stage.stream.clock.advance(250);
  }
  const opened = await opening;
  return opened instanceof RewindWindow ? opened : undefined;
}

/** Faults of the playlists of an input, and the number of breaks of each viewer with clips. */
async function play(
  input: readonly ArrivingBytes[],
  clip: Clip,
): Promise<{ readonly faults: readonly string[]; readonly breaks: readonly number[] }> {
  const stage = new ArchiveStage({ segmentMs: 1000, partMs: 200, segmentCount: 4 });
  const { stream } = stage;
  const { window, clock } = stream;
  await stage.record();
  const live = new StreamOutput('cam', window);
  const withClips = PLACEMENTS.map(({ form, ...options }) =>
    viewerOutput({
      live,
      decision: { ...DECISION, form },
      clips: () => inStream(clip, window),
      delivered: () => undefined,
      ...options,
    }),
  );
  const viewers = withClips.map((output, index) => new Viewer(`clips ${index}`, output.window));
  const full = [new Viewer('live', window)];
  const reader = new MpegTsReader(stream.hub, { isLive: true });
  const faults: string[] = [];
  const startMs = clock.now();
  let nextMs = startMs;
  let rewind: RewindWindow | undefined;
  for (const { atTicks, bytes } of input) {
    clock.advance(Math.max(0, startMs + atTicks / 90 - clock.now()));
    stream.feed(() => {
      reader.push(bytes);
    });
    if (clock.now() < nextMs) continue;
    nextMs = clock.now() + REQUEST_MS;
    await settled();
    if (!rewind && window.segments('v1').length > 2) {
      rewind = await rewindOf(stage);
      if (rewind) full.push(new Viewer('rewind', rewind));
    }
    for (const viewer of [...full, ...viewers]) faults.push(...viewer.reload(clock.now()));
    for (const viewer of full) await viewer.load();
    faults.push(...windowFaults(window, 4), ...(rewind ? windowFaults(rewind, Infinity) : []));
    if (faults.length > 0) break;
  }
  stage.playback.close();
  await stage.close();
  live.close();
  return { faults, breaks: withClips.map(({ plan }) => plan.showings.length) };
}

describe.each(['h264', 'h265'] as const)('viewers of a %s stream', (codec) => {
  const clip = clipOf(codec);

  it('get breaks in each placement', async () => {
    const { faults, breaks } = await play(plainInput(codec, 5), clip);
    expect(faults).toEqual([]);
    expect(Math.min(...breaks)).toBeGreaterThan(0);
  });

  it('get valid playlists while packets are damaged: live, with recorded media and with clips', async () => {
    await fc.assert(
      fc.asyncProperty(anyMutation(codec), anyDamages, async (mutation, damages) => {
        const { faults } = await play(damaged(asTransportStream(mutation), damages), clip);
        expect(faults).toEqual([]);
      }),
      RUNS,
    );
  });
});
