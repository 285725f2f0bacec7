import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStream, plainInput, playSteps } from '../../../tests/helpers/any-stream.ts';
import {
  audioOnlyStream,
  brokenStream,
  ordinaryStream,
  silentSoundStream,
} from '../../../tests/helpers/golden-streams.ts';
import { HlsClients } from '../../../tests/helpers/hls-clients.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkDates, readStrictPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { renderMediaPlaylist } from './media-playlist.ts';

describe('renderMediaPlaylist', () => {
  it('renders playlists that a strict client accepts, for any stream and over many reloads', () => {
    fc.assert(
      fc.property(anyStream, fc.integer({ min: 1, max: 40 }), ({ steps, options }, every) => {
        const stream = new StreamRun(options);
        const clients = new HlsClients(stream);
        let batches = 0;
        stream.onBatch = () => {
          if (batches++ % every === 0) clients.reload();
        };
        playSteps(steps, stream);
        clients.reload();
      }),
      { numRuns: 40 },
    );
  });

  it('dates segments by their durations, and keeps part durations near their target', () => {
    fc.assert(
      fc.property(plainInput, (input) => {
        const stream = new StreamRun();
        const clients = new HlsClients(stream);
        stream.onBatch = () => {
          clients.reload();
          for (const playlist of clients.playlists) {
            checkDates(playlist, 2);
            const minSeconds = 0.85 * (playlist.partTargetSeconds ?? 0);
            const inside = playlist.segments.flatMap(({ parts, uri }) =>
              uri === undefined ? parts : parts.slice(0, -1),
            );
            expect(inside.filter(({ durationSeconds }) => durationSeconds < minSeconds)).toEqual([]);
          }
        };
        stream.play(input);
        expect(clients.reloads).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it('skips no segment that the player lacks in a delta update, even if the open segment suddenly became long', () => {
    const stream = new StreamRun({ partMs: 200, segmentMs: 1000, segmentCount: 2 });
    const clients = new HlsClients(stream);
    let batches = 0;
    stream.onBatch = () => {
      if (batches++ % 3 === 0) clients.reload();
    };
    stream.play({
      video: { fps: 25, gopFrames: 1, bFrames: 0, variant: 0, statesFps: false },
      seconds: 2,
      startTicks: 0,
      seed: 1,
    });
    stream.play({
      video: { fps: 25, gopFrames: 25, bFrames: 0, variant: 0, statesFps: false },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 2,
      startTicks: 0,
      jumps: [{ atMs: 1003, byMs: 9000 }],
      seed: 1,
    });
    stream.close();
    expect(clients.reloads).toBeGreaterThan(0);
  });

  it('ends with a line after the last segment, because hls.js would ignore the segment otherwise', () => {
    const video = { fps: 25, gopFrames: 25, bFrames: 0 };
    for (const audio of [undefined, { sampleRate: 48_000, lateMs: 0 }]) {
      const stream = new StreamRun();
      stream.play({ video, ...(audio ? { audio } : {}), seconds: 8 });
      stream.idle(100);
      const lines = (renderMediaPlaylist(stream.window, { trackId: 'v1' }) ?? '').trimEnd().split('\n');
      expect(lines.at(-1)).toMatch(audio ? /^#EXT-X-RENDITION-REPORT:/ : /^# /);
      stream.close();
    }
  });

  it('matches the snapshot', async () => {
    const video = (stream: StreamRun): string => renderMediaPlaylist(stream.window, { trackId: 'v1' }) ?? '';
    const audio = (stream: StreamRun): string => renderMediaPlaylist(stream.window, { trackId: 'a1' }) ?? '';
    await expect(video(ordinaryStream())).toMatchFileSnapshot(golden('ordinary-v1'));
    await expect(audio(ordinaryStream())).toMatchFileSnapshot(golden('ordinary-a1'));
    await expect(video(brokenStream())).toMatchFileSnapshot(golden('discontinuity-and-new-format-v1'));
    await expect(audio(audioOnlyStream())).toMatchFileSnapshot(golden('sound-alone-a1'));
    await expect(audio(silentSoundStream())).toMatchFileSnapshot(golden('silent-sound-a1'));
    for (const stream of [ordinaryStream(), brokenStream(), audioOnlyStream(), silentSoundStream()]) {
      for (const { track } of stream.window.tracks)
        expect(
          readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId: track.id }) ?? '').segments.length,
        ).toBeGreaterThan(2);
    }
  });

  it('renders a small delta update of a long window', () => {
    const stream = new StreamRun({ segmentCount: 60 });
    stream.play({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 118 });
    const before = readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId: 'v1' }) ?? '');
    stream.play({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 2.6, startTicks: 118 * 90_000 });
    const full = renderMediaPlaylist(stream.window, { trackId: 'v1' }) ?? '';
    const delta = renderMediaPlaylist(stream.window, { trackId: 'v1', isDelta: true }) ?? '';
    expect(readStrictPlaylist(delta, before).skipped).toBe(54);
    expect(readStrictPlaylist(delta, before).segments.map(({ uri }) => uri)).toEqual(
      readStrictPlaylist(full).segments.map(({ uri }) => uri),
    );
    expect(delta.length).toBeLessThan(full.length / 2);
  });

  it('gives a rendition that starts later the same discontinuity numbers', () => {
    const stream = new StreamRun();
    const picture = { fps: 25, gopFrames: 50, bFrames: 0 };
    stream.play({ video: picture, seconds: 3 });
    stream.idle(1000);
    stream.play({ video: picture, seconds: 3 });
    stream.play({ video: picture, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 5 });
    const [video, audio] = stream.window.tracks.map(({ track }) =>
      readStrictPlaylist(renderMediaPlaylist(stream.window, { trackId: track.id }) ?? ''),
    );
    const first = audio?.segments[0];
    expect(first?.discontinuity).toBe(2);
    expect(video?.segments.find(({ msn }) => msn === first?.msn)?.discontinuity).toBe(2);
  });
});

function golden(name: string): string {
  return `../../../tests/golden/hls/${name}.m3u8`;
}
