import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { until } from '../helpers/until.ts';

// Pushes in operation: the alarm of a target that fails, and a plan that outlasts a restart of the server.

const LIMIT_MS = 60_000;
/** Notice of a planned start, in which the server restarts. */
const PLAN_MS = 15_000;

let target: AirdeskProcess;
let server: AirdeskProcess;

beforeAll(async () => {
  target = await AirdeskProcess.start();
  server = await AirdeskProcess.start(
    `stream cam {
       input fake://?gop=1;
       alarm push major raise=1s clear=1s;
       push ${target.rtmpUrl}/live/now retry_timeout=1;
     }`,
  );
}, 120_000);

afterAll(async () => {
  await server.dispose();
  await target.dispose();
});

async function pushOf({ url }: AirdeskProcess): Promise<PushStateObject | undefined> {
  const answer = await fetch(`${url}/mediaserver/api/v3/streams/cam/pushes`);
  // The server follows the contract; otherwise the test fails.
  return ((await answer.json()) as { pushes: PushStateObject[] }).pushes[0];
}

async function untilState(of: AirdeskProcess, state: PushStateObject['state']): Promise<PushStateObject> {
  let last: PushStateObject | undefined;
  return until(
    `${state} of the push`,
    async () => {
      last = await pushOf(of);
      return last?.state === state ? last : undefined;
    },
    LIMIT_MS,
    () => JSON.stringify(last),
  );
}

it('a target that fails raises an alarm that says why, and clears it when it is back', async () => {
  const alarms = async () => (await server.call('alarms.list', {})).alarms.filter(({ alarm }) => alarm === 'push');
  await untilState(server, 'running');
  expect(await alarms()).toEqual([]);
  await target.stop();
  const [raised] = await until('the alarm', async () => {
    const now = await alarms();
    return now.length > 0 ? now : undefined;
  }, LIMIT_MS); // prettier-ignore
  expect(raised).toMatchObject({ name: 'cam', severity: 'major', cleared_at: null });
  expect(JSON.stringify(raised)).toContain(target.rtmpUrl.replace('rtmp://', ''));
  await target.restart();
  await untilState(server, 'running');
  await until(
    'the end of the alarm',
    async () => (await alarms()).every(({ cleared_at: at }) => at !== null),
    LIMIT_MS,
  );
});

it('a planned push starts at its time and opens its stream, also after a restart of the server', async () => {
  const startMs = Date.now() + PLAN_MS;
  const plan = `start_at=${new Date(startMs).toISOString()}`;
  const planned = await AirdeskProcess.start(
    `stream cam { static false; input fake://?gop=1; push ${target.rtmpUrl}/live/later ${plan}; }`,
  );
  try {
    await planned.restart();
    const { since } = await untilState(planned, 'running');
    expect(since).toBeGreaterThanOrEqual(startMs);
    await target.streamWhere('live/later', 'frames', ({ alive }) => alive);
  } finally {
    await planned.dispose();
  }
});
