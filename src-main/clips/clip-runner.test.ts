import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConformOutput } from '../codec/clip/clip-target.ts';
import type { JobOutcome, RunningJob } from '../lib/jobs/job-queue.ts';
import type { ClipFile } from '../../src-preload/contract/api/file-processor-object.ts';
import type { ClipTask } from './clip-job.ts';
import { ClipRunner, type ClipRunnerOptions } from './clip-runner.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';

let folder: string;
let task: ClipTask;
/** Result of the codec, and properties of its output file. */
let encoded: PromiseWithResolvers<ConformOutput>;
let inspected: Awaited<ReturnType<ClipRunnerOptions['inspect']>>;
let stops: number;
/** Number of requests for the audio of the stream, and number of requests that return no audio. */
let requests: number;
let silentFor: number;
const SOUND = {
  codec: 'aac' as const,
  decoderConfig: new Uint8Array(),
  units: { bytes: new Uint8Array(), sizes: new Uint32Array() },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-clip-runner-'));
  task = {
    inputs: ['a.mp4'],
    output: join(folder, 'spot.mp4'),
    edits: [],
    leadInMs: 0,
    sound: null,
    picture: {} as ClipTask['picture'],
    stream: { tracks: [] },
    unfinishedName: 'ads/spot.mp4.tmp',
  };
  encoded = Promise.withResolvers();
  encoded.promise.catch(() => undefined);
  inspected = { tracks: [], longestSegmentMs: 1000, segments: () => [] };
  [stops, requests, silentFor] = [0, 0, Infinity];
});
afterEach(() => rmSync(folder, { recursive: true }));

function runner(): ClipRunner {
  return new ClipRunner({
    conform: ({ output }) => {
      writeFileSync(output, 'a clip');
      const stop = (): Promise<void> => {
        stops++;
        encoded.reject(new AirdeskError('codec_process_failed', 'It was ended'));
        return Promise.resolve();
      };
      return { outcome: encoded.promise, stop };
    },
    soundOf: () => Promise.resolve(++requests > silentFor ? SOUND : undefined),
    pause: () => Promise.resolve(),
    inspect: () => Promise.resolve(inspected),
  });
}
const start = (): RunningJob<ClipFile> => runner().run(task, () => undefined);

const files = (): string[] => ['spot.mp4', 'spot.mp4.tmp'].filter((name) => existsSync(join(folder, name)));
const codeOf = (outcome: JobOutcome<ClipFile>): unknown => ('code' in outcome ? outcome.code : outcome.files);

describe('a clip job', () => {
  it('renames the file once it is complete, and replaces the remains of an earlier attempt', async () => {
    writeFileSync(join(folder, 'spot.mp4.tmp'), 'half of an earlier attempt');
    const { outcome } = start();
    encoded.resolve({ durationMs: 4000 });
    expect(await outcome).toEqual({ files: [{ durationMs: 4000, sizeBytes: 6, differences: [] }] });
    expect([files(), readFileSync(task.output, 'utf8')]).toEqual([['spot.mp4'], 'a clip']);
  });

  it('reports differences between the clip and the stream', async () => {
    inspected = {
      tracks: [{ track: { id: 'v1', codec: 'avc1.64001f' } as never }],
      longestSegmentMs: 1000,
      segments: () => [],
    };
    const { outcome } = start();
    encoded.resolve({ durationMs: 4000 });
    expect(await outcome).toMatchObject({
      files: [{ differences: [{ field: 'v1', clip: 'avc1.64001f', stream: null }] }],
    });
  });

  it.each([
    ['that cannot be read', () => (inspected = { detail: 'no picture' }), 'clip_not_made'],
    ['for which the disk has no space', () => encoded.reject(new AirdeskError('clip_no_room', 'full')), 'clip_no_room'],
    ['whose codec fails', () => encoded.reject(new Error('broken')), 'clip_not_made'],
  ])('leaves no file of a clip %s', async (_what, fail, code) => {
    const { outcome } = start();
    fail();
    encoded.resolve({ durationMs: 4000 });
    expect([codeOf(await outcome), files()]).toEqual([code, []]);
  });

  it('fails if the stream whose loudness is the target has no audio', async () => {
    task = { ...task, loudness: { stream: 'cam' } };
    expect(await start().outcome).toEqual({
      code: 'clip_not_made',
      ...because('stream_without_sound', { stream: 'cam' }),
    });
    expect(files()).toEqual([]);
  });

  it('waits briefly for a stream that has just started', async () => {
    task = { ...task, loudness: { stream: 'cam' } };
    silentFor = 3;
    encoded.resolve({ durationMs: 4000 });
    expect([await start().outcome, requests]).toMatchObject([{ files: [{ durationMs: 4000 }] }, 4]);
  });

  it('can remove the remains of a job that is not run again', async () => {
    writeFileSync(join(folder, 'spot.mp4.tmp'), 'half of an earlier attempt');
    await runner().forget(task);
    await runner().forget(task);
    expect(files()).toEqual([]);
  });

  it('leaves no file if it is cancelled at any stage', async () => {
    const early = start();
    await early.stop();
    expect([codeOf(await early.outcome), stops, files()]).toEqual(['clip_cancelled', 0, []]);
    const late = start();
    await new Promise((resolve) => setImmediate(resolve));
    while (files().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await late.stop();
    expect([codeOf(await late.outcome), stops, files()]).toEqual(['codec_process_failed', 1, []]);
  });
});
