import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { EventChecker } from '../../tests/helpers/check-window.ts';
import { madeVideo } from '../../tests/helpers/made-input.ts';
import { OddClockEncoder } from '../../tests/helpers/odd-clock-encoder.ts';
import { RecordingInput } from '../../tests/helpers/recording-input.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import type { InputEnd } from '../ingest/input.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import { Engine } from './engine.ts';
import type { StreamSpec, StreamMeasurements } from './messages.ts';
import { relaySink, takeRelay } from './publisher-relay.ts';

const LIMIT_MS = 15_000;

describe('a publisher relay', () => {
  it('carries the data of the publisher and its end', async () => {
    const { port1, port2 } = new MessageChannel();
    const sink = new RecordingInput();
    takeRelay(port1, systemClock, () => sink);
    const far = relaySink(port2, systemClock, { close() {} });
    const data = Uint8Array.of(1, 2, 3);
    far.tracks([madeVideo('v1', 0)]);
    far.accessUnit({ trackId: 'v1', dtsTicks: 90, ptsTicks: 180, isRandomAccess: true, data });
    // Borrowed data may be overwritten at once.
    data.fill(9);
    far.problem({ code: 'ts_continuity', detail: 'x' });
    far.ended({ code: 'publish_closed', detail: 'y' });
    expect(await sink.end()).toEqual({ code: 'publish_closed', detail: 'y' });
    expect(sink.units('v1')).toMatchObject([
      { dtsTicks: 90, ptsTicks: 180, isRandomAccess: true, data: Uint8Array.of(1, 2, 3) },
    ]);
    expect(sink.codes).toEqual(['ts_continuity']);
  });

  it('reports why the publisher is disconnected, and the death of the other thread', async () => {
    const reasons: InputEnd[] = [];
    const open = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      relaySink(port2, systemClock, { close: (reason) => reasons.push(reason) });
      return port1;
    };
    takeRelay(open(), systemClock, (publisher) => {
      publisher.close({ code: 'publish_kicked', detail: 'x' });
      return new RecordingInput();
    });
    await until('the order to disconnect', () => reasons.length === 1, LIMIT_MS);
    open().close();
    await until('the end of the thread', () => reasons.length === 2, LIMIT_MS);
    expect(reasons.map(({ code }) => code)).toEqual(['publish_kicked', 'media_thread_failed']);
  });

  it('ends the publisher when its message port is closed, even before any message', async () => {
    const { port1, port2 } = new MessageChannel();
    const sink = new RecordingInput();
    takeRelay(port1, systemClock, () => sink);
    port2.close();
    expect((await sink.end()).code).toBe('publish_closed');
  });

  it('disconnects the publisher if the other thread does not keep up', () => {
    const { port1, port2 } = new MessageChannel();
    const reasons: InputEnd[] = [];
    const far = relaySink(port2, systemClock, { close: (reason) => reasons.push(reason) });
    const data = new Uint8Array(8 * 1024 * 1024);
    for (let count = 0; count < 6; count++)
      far.accessUnit({ trackId: 'v1', dtsTicks: count, ptsTicks: count, isRandomAccess: true, data });
    expect(reasons.map(({ code }) => code)).toEqual(['input_stalled']);
    port1.close();
  });
});

describe('an encoder with connections on several media threads', () => {
  let engine: Engine | undefined;
  afterEach(() => engine?.close());

  it('continues the same run without a discontinuity', async () => {
    const checker = new EventChecker();
    const media = testMedia();
    const spec: StreamSpec = {
      id: 1,
      name: 'live/cam',
      segmenter: { ...SEGMENTER_DEFAULTS, segmentMs: 1000, partMs: 200 },
      inputs: [{ url: 'publish://', options: {}, priority: 1, framesTimeoutMs: 3000, sourceTimeoutMs: 20_000 }],
      retryLimit: null,
      endMs: 0,
      resume: { nextMsn: 1, nextInitId: 1, isContinuation: false },
    };
    let status: StreamMeasurements | undefined;
    engine = new Engine(
      {
        threads: 2,
        threadEntry: new URL('../media-thread.ts', import.meta.url),
        fileRoot: '/',
        clock: systemClock,
        log: silentLog,
      },
      {
        window: () => {
          const run = new RunWindow(new LiveWindow(spec.segmenter), spec);
          run.onEvents((events) => {
            checker.take(events);
          });
          return run;
        },
        status: (_thread, streams) => {
          status = streams.find(({ id }) => id === 1) ?? status;
        },
        decidePlay: () => Promise.resolve({ code: 'stream_not_found', detail: '' }),
        decidePublish: (_request, openRun) => {
          openRun(spec);
          return Promise.resolve({ accepted: true, stream: spec });
        },
        publishEnded: () => {},
        notice: () => {},
        pushNotice: () => {},
        inputAtFault: () => {},
        streamLost: () => {},
        testPicture: () => Promise.reject(new Error('not here')),
        readExternal: () => ({ ended: Promise.resolve('not here'), close() {} }),
      },
    );
    await engine.start();
    const { port } = await engine.listenRtmp({ host: '127.0.0.1', port: 0 });
    const startMs = performance.now();
    // The kernel chooses the thread of a connection.
    for (let connection = 0; connection < 40 && engine.relayedPublishers < 2; connection++) {
      const offsetMs = performance.now() - startMs;
      const samples = checker.samples('v1');
      const encoder = await OddClockEncoder.publish(port, 'live', 'cam', media, (ms) => offsetMs + ms);
      await until(`pictures of connection ${connection}`, () => checker.samples('v1') > samples + 10, LIMIT_MS);
      encoder.close();
    }
    expect(engine.relayedPublishers).toBe(2);
    expect(checker.faults).toEqual([]);
    expect(checker.of('v1').filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
    expect(engine.homeOf(1)).toBeDefined();
    expect(status?.inputs[0]?.url).toBe('publish://');
  });
});
