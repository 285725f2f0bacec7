import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AD_API, AdStage, isOfClip, type AdViewer } from '../../helpers/ad-stage.ts';
import type { Reaction } from '../../helpers/auth-backend.ts';
import { until } from '../../helpers/until.ts';

// A fault in a break costs the viewer only the clip: each listed segment can be loaded, and the reason is reported.

const LIMIT_MS = 60_000;
let stage: AdStage;

beforeAll(async () => {
  stage = await AdStage.start({
    env: { NODE_OPTIONS: `--import ${new URL('../../helpers/hanging-reads.ts', import.meta.url).href}` },
  });
});
afterAll(async () => {
  await stage.close();
});

async function splice(body: object): Promise<void> {
  const { status } = await stage.call('POST', `${AD_API}/streams/cam/ads/splice_insert`, body);
  expect(status).toBe(202);
}

/** Creates a viewer in an endless break that alternates between `ads/a.mp4` and another clip. */
async function viewerInBreak(v: number, clip: string): Promise<AdViewer> {
  copyFileSync(join(stage.folder, 'a.mp4'), join(stage.folder, clip));
  const answer = { v, midroll: ['ads/a.mp4', `ads/${clip}`], midroll_insert_by: 'splicing' } as const;
  const ready = async (viewer: AdViewer): Promise<AdViewer> => {
    await until('clips', async () => (await viewer.explain()).clips.every(({ state }) => state === 'ready'), LIMIT_MS);
    return viewer;
  };
  // The break of the previous test may still be listed: in that break, the clip of the new viewer is not ready.
  await ready(stage.viewer(answer));
  return ready(stage.viewer(answer));
}

/** Currently listed addresses of video, in order. */
async function listed(viewer: AdViewer): Promise<string[]> {
  const playlist = await viewer.load('v1/index.m3u8');
  return playlist.split('\n').filter((line) => line.includes('.m4s') && !line.startsWith('#'));
}

/**
 * Loads new video like players do until a clip was left out; returns the reason, and fails if a segment cannot be
 * loaded.
 *
 * @param failed collects addresses that could not be loaded, if allowed
 */
async function watched(viewer: AdViewer, loaded = new Set<string>(), failed?: string[]): Promise<string> {
  return until(
    'a reason',
    async () => {
      for (const address of await listed(viewer)) {
        if (loaded.has(address)) continue;
        loaded.add(address);
        const answered = await fetch(`${stage.server.url}/cam/v1/${address}`);
        if (!answered.ok) failed?.push(address);
        if (!failed) expect([address, answered.status]).toEqual([address, 200]);
        await answered.arrayBuffer();
      }
      const { breaks } = await viewer.explained();
      return breaks.flatMap(({ skipped }) => skipped).find(({ path }) => path !== null)?.reason;
    },
    LIMIT_MS,
  );
}

async function eventOf(viewer: AdViewer, path: string): Promise<Record<string, unknown>> {
  return until(
    'the event',
    () => stage.skippedEvents().find((one) => one['session_id'] === viewer.sessionId && one['path'] === path),
    LIMIT_MS,
  );
}

it.each([1, 2])('continues with the stream if a clip is deleted during a break, with v %d', async (v) => {
  const clip = `deleted-${v}.mp4`;
  const viewer = await viewerInBreak(v, clip);
  await splice({ event_id: v });
  await until('both clips', async () => (await viewer.explain()).shown.length >= 2, LIMIT_MS);
  rmSync(join(stage.folder, clip));
  const loaded = new Set<string>();
  expect(await watched(viewer, loaded)).toBe('clip_not_found');
  expect(await eventOf(viewer, `ads/${clip}`)).toMatchObject({
    media: 'cam',
    reason: 'clip_not_found',
    placement: 'midroll',
    submedia: null,
    detail: expect.stringContaining(clip) as string,
  });
  await splice({ kind: 'in', event_id: v });
  // The stream follows without a stall of the playlist.
  await until('the stream', async () => !isOfClip((await listed(viewer)).at(-1) ?? 'a-0.m4s'), LIMIT_MS);
  await watched(viewer, loaded);
});

it('shows the stream instead of a clip that cannot be read from disk, with v 2', async () => {
  const viewer = await viewerInBreak(2, 'hanging.mp4');
  writeFileSync(join(stage.folder, 'hanging.mp4.hangs'), '');
  await splice({ event_id: 3 });
  expect(await watched(viewer)).toBe('clip_unusable');
  expect(await eventOf(viewer, 'ads/hanging.mp4')).toMatchObject({
    media: 'cam',
    reason: 'clip_unusable',
    detail: expect.stringContaining('does not answer') as string,
  });
  // Only this clip is unusable.
  expect((await viewer.explained()).clips).toMatchObject([
    { path: 'ads/a.mp4', state: 'ready' },
    { path: 'ads/hanging.mp4', state: 'clip_unusable' },
  ]);
  rmSync(join(stage.folder, 'hanging.mp4.hangs'));
  await splice({ kind: 'in', event_id: 3 });
});

it('fails only listed segments of a clip that cannot be read from disk, and continues, with v 1', async () => {
  const viewer = await viewerInBreak(1, 'stuck.mp4');
  await splice({ event_id: 5 });
  const loaded = new Set<string>();
  // The clip was in the playlist, so players know its segments.
  await until('both clips', async () => (await viewer.explain()).shown.length >= 2, LIMIT_MS);
  writeFileSync(join(stage.folder, 'stuck.mp4.hangs'), '');
  const failed: string[] = [];
  expect(await watched(viewer, loaded, failed)).toBe('clip_unusable');
  expect(await eventOf(viewer, 'ads/stuck.mp4')).toMatchObject({
    media: 'cam',
    reason: 'clip_unusable',
    placement: 'midroll',
    detail: expect.stringContaining('does not answer') as string,
  });
  expect((await viewer.explained()).clips).toMatchObject([
    { path: 'ads/a.mp4', state: 'ready' },
    { path: 'ads/stuck.mp4', state: 'clip_unusable' },
  ]);
  // The other clip continues in the break, and the stream follows. All their segments can be loaded.
  const before = failed.length;
  expect(before).toBeGreaterThan(0);
  expect(failed.every(isOfClip)).toBe(true);
  // Segments leave the window over time, so their number proves nothing.
  const newestMs = async (): Promise<number> =>
    Math.max(
      ...(await viewer.explained()).breaks
        .flatMap(({ clips }) => clips)
        .map(({ path, at }) => (path === 'ads/a.mp4' ? at : 0)),
    );
  const alreadyMs = await newestMs();
  await until(
    'the other clip again',
    async () => {
      await watched(viewer, loaded, failed);
      return (await newestMs()) > alreadyMs;
    },
    LIMIT_MS,
  );
  await splice({ kind: 'in', event_id: 5 });
  await until(
    'the stream',
    async () => {
      await watched(viewer, loaded, failed);
      return !isOfClip((await listed(viewer)).at(-1) ?? 'a-0.m4s');
    },
    LIMIT_MS,
  );
  // The clip was listed before the fault, and is no longer listed.
  const [prefix = ''] = failed[0]?.split('-') ?? [];
  expect(failed.every((address) => address.startsWith(`${prefix}-`))).toBe(true);
  expect(failed.length - before).toBeLessThanOrEqual(1);
  rmSync(join(stage.folder, 'stuck.mp4.hangs'));
});

it('uses the last answer of a backend that stopped answering, and reports that', async () => {
  const viewer = stage.viewer({ midroll: ['ads/a.mp4'], midroll_insert_by: 'splicing' });
  const answering = stage.backend.byToken.get(viewer.token) as Reaction;
  stage.backend.byToken.set(viewer.token, (response, facts, request) => {
    response.setHeader('x-authduration', '1');
    answering(response, facts, request);
  });
  expect((await viewer.explain()).notes).toEqual([]);
  stage.backend.byToken.set(viewer.token, (response) => response.destroy());
  await until(
    'the note',
    async () => (await viewer.explain()).notes.find((note) => note.includes('its last answer counts')),
    LIMIT_MS,
  );
  await splice({ duration: 4, event_id: 4 });
  expect(await viewer.paths(1)).toEqual(['midroll ads/a.mp4']);
});
