import { beforeEach, describe, expect, it } from 'vitest';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { InputQuarantine } from './input-quarantine.ts';
import { selectInput } from './select-input.ts';
import { Streams } from './streams.ts';

const END = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: true } };
const BAD = 'hls://192.0.2.1/bad.m3u8';
const MINUTE_MS = 60_000;

let clock: FakeClock;
let stage: StagedEngine;
let streams: Streams;
let events: { readonly event: string; readonly input: unknown; readonly code: unknown }[];

beforeEach(() => {
  clock = new FakeClock(1_800_000_000_000);
  stage = new StagedEngine();
  events = [];
});

async function start(text: string): Promise<void> {
  const config = configOf(text);
  streams = new Streams(config, {
    clock,
    log: silentLog,
    events: {
      emit: (event, fields) => {
        const { input, code } = fields as Record<string, unknown>;
        events.push({ event, input, code });
      },
    },
    engine: () => stage.engine,
  });
  streams.start(config);
  await streams.applied;
}

/** The input crashes its media thread, and the stream is opened again. */
function strike(name: string, input = 0): void {
  const stream = streams.get(name)?.runId;
  if (stream === undefined) throw new Error(`${name} does not run`);
  streams.reports.inputAtFault({ stream, input }, 'it did not respond for 10 s');
  streams.reports.lost(stream, END, 'it did not respond for 10 s');
}

function heldMs(index = 0): number {
  const until = stage.opened.at(-1)?.inputs[index]?.heldUntilMs;
  return until === undefined ? 0 : until - clock.now();
}

function emitted(): string[] {
  return events.filter(({ event }) => /^input_(quarantined|released)$/.test(event)).map(({ event }) => event);
}

describe('an input that crashes its media thread', () => {
  const text = `stream cam { input ${BAD}; input hls://192.0.2.2/good.m3u8 priority=2; }`;

  it('is quarantined after the second crash, and longer after each further crash', async () => {
    await start(text);
    strike('cam');
    expect([heldMs(), emitted()]).toEqual([0, []]);
    strike('cam');
    expect([heldMs(0), heldMs(1)]).toEqual([MINUTE_MS, 0]);
    expect(events.find(({ event }) => event === 'input_quarantined')).toMatchObject({
      input: 'input 1',
      code: 'input_quarantined',
    });
    clock.advance(2 * MINUTE_MS);
    strike('cam');
    expect(heldMs()).toBe(2 * MINUTE_MS);
    for (let time = 0; time < 10; time++) strike('cam');
    expect(heldMs()).toBe(60 * MINUTE_MS);
  });

  it('is released when an operator selects the input or restarts its stream', async () => {
    await start(text);
    strike('cam');
    strike('cam');
    selectInput(streams, 'cam', 1);
    expect(emitted()).toEqual(['input_quarantined']);
    selectInput(streams, 'cam', 0);
    expect(emitted()).toEqual(['input_quarantined', 'input_released']);
    // An input that crashes its thread again is quarantined again.
    strike('cam');
    expect(heldMs()).toBe(MINUTE_MS);
    await streams.restart('cam');
    expect(heldMs()).toBe(0);
  });

  it('is not quarantined after its address has changed', async () => {
    await start(text);
    strike('cam');
    strike('cam');
    await streams.apply(configOf('stream cam { input hls://192.0.2.1/mended.m3u8; }'));
    expect(stage.opened.at(-1)?.inputs[0]?.url).toBe('hls://192.0.2.1/mended.m3u8');
    expect(heldMs()).toBe(0);
  });

  it('is quarantined if it is the backup file', async () => {
    await start('stream cam { input udp://239.255.0.1:1234; backup bad.mp4; }');
    strike('cam', 1);
    strike('cam', 1);
    expect(stage.opened.at(-1)?.backup?.heldUntilMs).toBe(clock.now() + MINUTE_MS);
    expect(heldMs()).toBe(0);
  });

  it('is quarantined by address if it is an encoder, under any stream name', async () => {
    await start('template live { prefix live; input publish://; }');
    const from = (ip: string, name: string): PublishRequest => ({
      protocol: 'rtmp',
      path: `live/${name}`,
      query: new Map(),
      peer: `${ip}:4000`,
    });
    for (const name of ['one', 'two']) {
      expect(await streams.publishing.decide(from('192.0.2.7', name), () => {})).toMatchObject({ accepted: true });
      strike(`live/${name}`);
    }
    expect(await streams.publishing.decide(from('192.0.2.7', 'three'), () => {})).toMatchObject({
      code: 'input_quarantined',
    });
    expect(streams.get('live/three')).toBeUndefined();
    expect(await streams.publishing.decide(from('192.0.2.8', 'three'), () => {})).toMatchObject({ accepted: true });
    expect(streams.quarantine.counters).toEqual({ active: 1, total: 1 });
    clock.advance(MINUTE_MS);
    expect(streams.quarantine.counters).toEqual({ active: 0, total: 1 });
    expect(await streams.publishing.decide(from('192.0.2.7', 'four'), () => {})).toMatchObject({ accepted: true });
  });
});

describe('InputQuarantine', () => {
  it('forgets an input after a day without crashes, and remembers a limited number of inputs', () => {
    const quarantine = new InputQuarantine();
    quarantine.strike('a', 0);
    expect(quarantine.strike('a', 25 * 60 * MINUTE_MS)).toBe(0);
    const now = 26 * 60 * MINUTE_MS;
    expect(quarantine.strike('a', now)).toBeGreaterThan(now);
    for (let other = 0; other < 1000; other++) quarantine.strike(`other ${other}`, now);
    expect(quarantine.heldUntil('a', now)).toBe(0);
  });
});
