import { beforeEach, describe, expect, it } from 'vitest';
import { StagedEngine } from '../../tests/helpers/staged-engine.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { StreamState } from '../../src-preload/contract/api/streams.ts';
import type { StreamSpec } from '../engine/messages.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { silentLog } from '../lib/log.ts';
import { streamState } from './stream-state.ts';
import { Streams } from './streams.ts';

const LIVE = 'template live { prefix live; input publish://; }';

let clock: FakeClock;
let stage: StagedEngine;
let streams: Streams;
let events: string[];

beforeEach(() => {
  clock = new FakeClock();
  stage = new StagedEngine();
  events = [];
});

async function start(text: string): Promise<void> {
  const config = configOf(text);
  const emit = (event: string): void => void events.push(event);
  streams = new Streams(config, { clock, log: silentLog, events: { emit }, engine: () => stage.engine });
  streams.start(config);
  await streams.applied;
}

function from(ip: string, path: string): PublishRequest {
  return { protocol: 'rtmp', path, query: new Map(), peer: `${ip}:4000` };
}

/** Result for a publisher: `accepted`, or the code of the refusal. */
async function publish(path: string, ip = '192.0.2.7'): Promise<string> {
  const answer = await streams.publishing.decide(from(ip, path), () => {});
  return answer.accepted ? 'accepted' : answer.code;
}

describe('new stream names under an open prefix', () => {
  it('are limited in total, per prefix and per address, and refused names leave no state', async () => {
    await start(
      'published_streams 6; published_streams_per_prefix 4; published_streams_per_address 3;' +
        `${LIVE} template other { prefix other; input publish://; } stream cam { input publish://; }`,
    );
    const make = async (count: number, prefix: string, ip: string): Promise<string[]> => {
      const answers: string[] = [];
      for (let n = 0; n < count; n++) answers.push(await publish(`${prefix}/${ip.slice(-1)}-${n}`, ip));
      return answers;
    };
    const accepted = (count: number): string[] => Array.from({ length: count }, () => 'accepted');
    expect(await make(4, 'live', '192.0.2.1')).toEqual([...accepted(3), 'publish_limit']);
    expect(await make(2, 'live', '192.0.2.2')).toEqual(['accepted', 'publish_limit']);
    expect(await make(3, 'other', '::ffff:192.0.2.3')).toEqual([...accepted(2), 'publish_limit']);
    expect(streams.list().filter(({ isConfigured }) => !isConfigured)).toHaveLength(6);
    expect(events.filter((event) => event === 'publish_refused')).toHaveLength(3);
    // A configured stream and an existing name are not new.
    expect(await publish('static/cam', '192.0.2.9')).toBe('accepted');
    clock.advance(4000);
    expect(await publish('live/1-0', '192.0.2.1')).toBe('accepted');
  });

  it('are not limited per address for publishers on this machine', async () => {
    await start(`published_streams_per_address 1; ${LIVE}`);
    for (const name of ['a', 'b', 'c']) expect(await publish(`live/${name}`, '127.0.0.1')).toBe('accepted');
  });
});

it('a replaced encoder that disconnects late does not end the new encoder', async () => {
  await start('stream cam { input publish://; }');
  const placed: StreamSpec[] = [];
  const openRun = (spec: StreamSpec): void => void placed.push(spec);
  await streams.publishing.decide(from('192.0.2.1', 'static/cam'), openRun);
  // The encoder sends no more frames, and another encoder replaces it in the same run.
  clock.advance(4000);
  await streams.publishing.decide(from('192.0.2.2', 'static/cam'), openRun);
  const [dead, next] = placed;
  expect(next?.id).toBe(dead?.id);
  streams.publishing.ended(dead!.id, dead!.publication);
  expect(streams.get('cam')?.isPublished).toBe(true);
  expect(await publish('static/cam', '192.0.2.3')).toBe('publish_busy');
  streams.publishing.ended(next!.id, next!.publication);
  expect(streams.get('cam')?.isPublished).toBe(false);
});

describe('a published stream that gets a stream block in the configuration', () => {
  it.each([
    ['without inputs', 'stream live/cam { title Camera; }'],
    ['with inputs of its own', 'stream live/cam { title Camera; input publish://; input udp://239.255.0.1:1234; }'],
    ['with other segments', 'stream live/cam { title Camera; input publish://; segment_duration 2; }'],
  ])('stays on air with its publisher, %s', async (_, text) => {
    await start(LIVE);
    expect(await publish('live/cam')).toBe('accepted');
    const entry = streams.get('live/cam');
    const { runId, output } = entry!;
    await streams.apply(configOf(`${LIVE} ${text}`));
    expect(streams.get('live/cam')).toBe(entry);
    expect(entry).toMatchObject({ runId, output, isPublished: true, isConfigured: true });
    expect(streams.outputs.get('live/cam')).toBe(output);
    const state = streamState(entry!, { nowMs: clock.now(), rtmpUrl: null, baseUrl: '' });
    expect(state).toMatchObject({
      named_by: 'config',
      title: 'Camera',
      inputs: [{ url: 'publish://' }, {}].slice(0, state.inputs.length),
    });
    // Settings that need a new run apply when the encoder leaves. The encoder may come back.
    streams.publishing.ended(runId!);
    await settled();
    clock.advance(400_000);
    await settled();
    expect(streams.get('live/cam')).toBe(entry);
    expect(entry!.runId).not.toBe(runId);
    expect(await publish('live/cam')).toBe('accepted');
  });

  it('is closed if the configuration gives it only other inputs', async () => {
    await start(LIVE);
    await publish('live/cam');
    await streams.apply(configOf(`${LIVE} stream live/cam { input udp://239.255.0.1:1234; }`));
    expect(stage.opened.at(-1)).toMatchObject({ name: 'live/cam', inputs: [{ url: 'udp://239.255.0.1:1234' }] });
    expect(await publish('live/cam')).toBe('publish_not_allowed');
  });
});

describe('an encoder that waits for the end of the previous run', () => {
  beforeEach(async () => {
    await start('stream cam { input publish://; }');
    expect(await publish('static/cam')).toBe('accepted');
    stage.pending = [];
  });

  it('is not admitted to a stream that is removed meanwhile', async () => {
    const restarting = streams.restart('cam');
    clock.advance(4000);
    const waiting = publish('static/cam');
    const removing = streams.apply(configOf(''));
    await settled();
    for (const end of stage.pending!.splice(0)) end();
    expect(await waiting).toBe('publish_not_allowed');
    await Promise.all([restarting, removing]);
    expect(streams.list()).toEqual([]);
  });

  it('is refused if a password was configured meanwhile', async () => {
    const restarting = streams.restart('cam');
    clock.advance(4000);
    const waiting = publish('static/cam');
    const applied = streams.apply(configOf('stream cam { input publish://; password secret; }'));
    await settled();
    for (const end of stage.pending!.splice(0)) end();
    expect(await waiting).toBe('publish_bad_password');
    await Promise.all([restarting, applied]);
    expect(streams.get('cam')?.isPublished).toBe(false);
  });
});

describe('the state of a stream', () => {
  it('says that publishing needs a password, but does not contain the password', async () => {
    await start('stream a { password hush-hush; input publish://; } stream b { input publish://; }');
    const stateOf = (name: string): StreamState =>
      streamState(streams.get(name)!, { nowMs: clock.now(), rtmpUrl: 'rtmp://192.0.2.1:1935', baseUrl: 'http://h' });
    expect(stateOf('a')).toMatchObject({
      publish_password: true,
      publish_urls: ['rtmp://192.0.2.1:1935/static/a', 'http://h/a/mpegts'],
    });
    expect(JSON.stringify(stateOf('a'))).not.toContain('hush');
    expect(stateOf('b')).not.toHaveProperty('publish_password');
  });
});
