import { beforeEach, describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import type { StreamSpec } from '../engine/messages.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { silentLog } from '../lib/log.ts';
import { streamState } from './stream-state.ts';
import { archiveStats } from './stream-stats.ts';
import { Streams } from './streams.ts';

const PREFIX = 'live studio { dvr records; password secret; }';

let clock: FakeClock;
let stage: StagedEngine;
let streams: Streams;
/** Names of streams with an archive. */
let recorded: Set<string>;

beforeEach(() => {
  clock = new FakeClock();
  stage = new StagedEngine();
  recorded = new Set();
});

async function start(text: string): Promise<void> {
  const config = configOf(text);
  streams = new Streams(config, {
    clock,
    log: silentLog,
    engine: () => stage.engine,
    hasArchive: (name) => Promise.resolve(recorded.has(name)),
  });
  streams.start(config);
  await settled();
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    clock.advance(Math.min(1000, left));
    await settled();
  }
}

function request(path: string, peer = '192.0.2.7:9'): PublishRequest {
  return { protocol: 'rtmp', path, query: new Map([['password', 'secret']]), peer };
}

async function publish(path: string): Promise<boolean> {
  const openRun = (run: StreamSpec): void => void stage.engine.open(run);
  return (await streams.publishing.decide(request(path), openRun)).accepted;
}

function leave(name: string): void {
  streams.publishing.ended(streams.get(name)?.runId ?? 0);
}

function names(): string[] {
  return streams.list().map(({ name }) => name);
}

describe('a published stream whose encoder has left for good', () => {
  it('remains as an archive-only stream without a run, and continues when its encoder returns', async () => {
    await start(PREFIX);
    await publish('studio/a');
    await publish('studio/b');
    recorded.add('studio/a');
    leave('studio/a');
    leave('studio/b');
    await pass(320_000);
    expect(names()).toEqual(['studio/a']);
    const entry = streams.get('studio/a');
    if (!entry) throw new Error('no stream');
    expect([entry.isArchiveOnly, entry.runId, entry.isConfigured, entry.prefix]).toEqual([
      true,
      undefined,
      false,
      'studio',
    ]);
    expect(archiveStats(entry).dvr_only).toBe(true);
    const context = { nowMs: clock.now(), rtmpUrl: null, baseUrl: '' };
    expect(streamState(entry, context)).toMatchObject({ alive: false, is_archive_only: true });
    expect(stage.open.size).toBe(0);
    expect(streams.outputs.get('studio/a')).toBe(entry.output);
    await pass(3_600_000);
    expect(streams.get('studio/a')).toBe(entry);

    expect(await publish('studio/a')).toBe(true);
    expect(streams.get('studio/a')).toBe(entry);
    expect([entry.isArchiveOnly, stage.open.size]).toEqual([false, 1]);
    expect(archiveStats(entry).dvr_only).toBe(false);
    leave('studio/a');
    recorded.clear();
    await pass(320_000);
    expect(names()).toEqual([]);
  });

  it('is not opened by viewers, whichever template it has', async () => {
    await start('live studio { dvr records; static false; input publish://; input fake://; }');
    expect(await streams.ensureArchiveStream('studio/a')).toBe(streams.get('studio/a'));
    expect(streams.demand('studio/a')).toBe(false);
    await streams.restart('studio/a');
    await pass(5000);
    expect(stage.opened).toEqual([]);
  });

  it('cannot be deleted while it has an archive, and is removed if it has none', async () => {
    await start(PREFIX);
    await publish('studio/a');
    await publish('studio/b');
    recorded.add('studio/a');
    await Promise.all([streams.forget('studio/a'), streams.forget('studio/b')]);
    expect(names()).toEqual(['studio/a']);
    expect([streams.get('studio/a')?.isArchiveOnly, stage.open.size]).toEqual([true, 0]);
    await expect(streams.forget('studio/a')).rejects.toMatchObject({ code: 'stream_archived' });
  });

  it('does not count for the limit of published streams until its encoder returns', async () => {
    await start(`published_streams 2; ${PREFIX}`);
    for (const name of ['studio/a', 'studio/b', 'studio/c']) await streams.ensureArchiveStream(name);
    expect([await publish('studio/d'), await publish('studio/a')]).toEqual([true, true]);
    expect([await publish('studio/e'), await publish('studio/b')]).toEqual([false, false]);
  });
});

describe('a stream that was live', () => {
  /** Whether each stream has ended. */
  const ended = (...all: string[]): unknown[] => all.map((name) => streams.get(name)?.hasEnded(clock.now()));

  it('has ended a minute after its encoder left, or after source_timeout if that is longer', async () => {
    await start(
      `stream plain { input publish://; } stream cam { input publish://; source_timeout 90; } stream own { input publish://; input fake://; }`,
    );
    expect(ended('cam', 'own')).toEqual([false, false]);
    for (const name of ['static/plain', 'static/cam', 'static/own']) await publish(name);
    await pass(120_000);
    expect(ended('plain', 'cam', 'own')).toEqual([false, false, false]);
    for (const name of ['plain', 'cam', 'own']) leave(name);
    await pass(59_000);
    expect(ended('plain', 'cam', 'own')).toEqual([false, false, false]);
    await pass(2000);
    expect(ended('plain', 'cam', 'own')).toEqual([true, false, false]);
    await pass(30_000);
    expect(ended('plain', 'cam', 'own')).toEqual([true, true, false]);
    await publish('static/cam');
    expect(ended('cam')).toEqual([false]);
  });
});

describe('archives found at server start', () => {
  it('become streams only under a live prefix or a template for encoders', async () => {
    await start(
      `${PREFIX} template t { prefix far; input publish://; } template u { prefix pulled; input fake://; } stream cam { input fake://; }`,
    );
    for (const name of ['studio/a', 'far/b', 'pulled/c', 'elsewhere/d', 'cam']) await streams.ensureArchiveStream(name);
    expect(names()).toEqual(['cam', 'studio/a', 'far/b']);
    expect(streams.get('cam')?.isArchiveOnly).toBe(false);
    await streams.dropArchive('studio/a');
    await streams.dropArchive('cam');
    expect(names()).toEqual(['cam', 'far/b']);
  });

  it('have the current settings of their prefix, and are removed with the prefix', async () => {
    await start(`${PREFIX} live other { dvr records; }`);
    await streams.ensureArchiveStream('studio/a');
    await streams.ensureArchiveStream('other/b');
    await streams.apply(configOf('live studio { dvr records; title Studio; segment_duration 4; }'));
    expect(names()).toEqual(['studio/a']);
    expect(streams.get('studio/a')?.settings).toMatchObject({ title: 'Studio', password: null });
    expect(streams.get('studio/a')?.window.segmentMs).toBe(4000);
    await streams.apply(configOf('live studio { dvr records; } stream studio/a { input fake://; }'));
    expect([streams.get('studio/a')?.isConfigured, streams.get('studio/a')?.isArchiveOnly]).toEqual([true, false]);
    expect(stage.open.size).toBe(1);
  });
});

describe('a published stream whose prefix changes', () => {
  it('applies new rules at once, and applies settings that need a new run after its encoder has left', async () => {
    await start(PREFIX);
    await publish('studio/a');
    await streams.apply(configOf('live studio { dvr records; title Studio; }'));
    const entry = streams.get('studio/a');
    expect([entry?.settings.title, entry?.isPublished]).toEqual(['Studio', true]);
    await streams.apply(configOf('live studio { dvr records; segment_duration 4; }'));
    expect([entry?.isPublished, stage.open.size]).toEqual([true, 1]);
    leave('studio/a');
    await settled();
    expect([entry?.window.segmentMs, stage.open.size]).toEqual([4000, 0]);
  });
});
