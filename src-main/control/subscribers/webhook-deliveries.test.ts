import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Webhook, WebhookLog } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { PORTALS_PREFIX, StagedPortal } from '../../../tests/helpers/portal-stage.ts';
import { until } from '../../../tests/helpers/until.ts';
import { RETRY_WAITS_MS } from '../../subscribers/webhook.ts';

type DeadLetterList = Pick<WebhookLog, 'deadLetters'> & { readonly next: string | null };

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string | undefined;
  readonly atMs: number;
  /** Status of the answer. 0 if there was no answer. */
  readonly status: number;
}

let stage: CollectionStage;
let receiver: Server;
let address = '';
let portal: StagedPortal;
let messages: Message[] = [];
/** Answers of the receiver below `/hook`, in order, then 204. Without a status the connection is cut. */
let answers: (readonly [status: number, headers?: Readonly<Record<string, string>>])[] = [];
let portals = 0;

beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url;
      const [status, headers = {}] = (path === '/hook' ? answers.shift() : undefined) ?? [204];
      messages.push({ headers: request.headers, body, path, atMs: stage.clock.now(), status });
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await stage.close();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(async () => {
  [messages, answers] = [[], []];
  portal = await StagedPortal.make(stage, `hooks ${++portals}`);
});
afterEach(async () => {
  for (const { webhookId } of await list()) await manage('DELETE', `/${webhookId}`);
});

async function manage(method: string, path = '', body?: object): Promise<Webhook & { readonly secret: string }> {
  const answer = await stage.request(method, `${PORTALS_PREFIX}/portals/${portal.portalId}/webhooks${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body as Webhook & { readonly secret: string };
}

async function list(): Promise<readonly Webhook[]> {
  // Connections that were idle while the clock moved are closed.
  await portal.request('GET', '/packages').catch(() => undefined);
  const { webhooks } = (await manage('GET')) as unknown as { readonly webhooks: readonly Webhook[] };
  return webhooks;
}

/** Waits until the only webhook has the given state. */
async function settled(fields: Partial<Webhook>): Promise<void> {
  let webhook: Webhook | undefined;
  const isSo = async (): Promise<boolean> => {
    [webhook] = await list();
    return Object.entries(fields).every(([key, value]) => webhook?.[key as keyof Webhook] === value);
  };
  await until(`webhook with ${JSON.stringify(fields)}`, isSo, 30_000, () => JSON.stringify(webhook));
}

function verified(message: Message | undefined, secret: string): unknown {
  const now = vi.spyOn(Date, 'now').mockReturnValue(message?.atMs ?? 0);
  try {
    return new Verifier(secret).verify(message?.body ?? '', message?.headers as Record<string, string>);
  } finally {
    now.mockRestore();
  }
}

const add = (name: string): Promise<string> => portal.make('subscribers', { name });
const names = (): unknown[] => messages.map(({ headers }) => headers['webhook-id']);

describe('a webhook', () => {
  it('posts recorded operations, signed by Standard Webhooks, with two secrets during a rotation', async () => {
    await add('before');
    const { secret, webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    await add('Anna');
    await settled({ delivered: 1 });
    const operation = (await portal.operations()).at(-1);
    expect(messages).toHaveLength(1);
    expect(verified(messages[0], secret)).toEqual({
      operationId: operation?.operationId,
      type: 'createSubscriber',
      subscriberId: operation?.subscriberId,
      packageId: null,
      createdAt: operation?.createdAt,
    });
    const { secret: other } = await manage('POST', `/${webhookId}/rotate`, { graceSeconds: 60 });
    await add('Berta');
    await settled({ delivered: 2 });
    expect(verified(messages[1], secret)).toEqual(verified(messages[1], other));
    stage.clock.advance(61_000);
    await add('Clara');
    await settled({ delivered: 3 });
    expect(verified(messages[2], other)).toMatchObject({ type: 'createSubscriber' });
    expect(() => verified(messages[2], secret)).toThrow();
    expect(JSON.stringify(await list())).not.toContain('whsec_');
  });

  it('sends nothing to an address of this machine or of a private network unless allowed', async () => {
    const { webhookId } = await manage('POST', '', { url: address });
    await add('Anna');
    await settled({ failures: 1 });
    await manage('PUT', `/${webhookId}`, { url: address.replace('127.0.0.1', 'localhost') });
    const isNamed = async (): Promise<boolean> => (await list())[0]?.lastError?.startsWith('localhost') === true;
    await until('refusal of the name', isNamed, 30_000);
    expect(messages).toEqual([]);
    expect((await list())[0]?.lastError).toMatch(/is an address of this machine or of a private network$/);
    await manage('PUT', `/${webhookId}`, { url: address, isPrivateAllowed: true });
    await settled({ delivered: 1, failures: 0, lastError: null });
  });

  it('retries by the schedule and by Retry-After, and continues in order after a restart', async () => {
    await manage('POST', '', { url: address, isPrivateAllowed: true });
    answers = [[500], [503, { 'retry-after': '9000' }]];
    await add('Anna');
    await settled({ failures: 1 });
    await add('Berta');
    stage.clock.advance(4999);
    expect(messages).toHaveLength(1);
    stage.clock.advance(1);
    await settled({ failures: 2 });
    const waitsUntil = Date.parse((await list())[0]?.nextAttemptAt ?? '');
    expect(waitsUntil - stage.clock.now()).toBe(9_000_000);
    await stage.closeDeliveries();
    await add('Clara');
    stage.clock.advance(9_000_000);
    await stage.restartDeliveries();
    await settled({ delivered: 3, failures: 0, nextAttemptAt: null, lastError: null });
    const ids = (await portal.operations()).map(
      ({ operationId }) => `op_${Buffer.from(operationId, 'base64').toString('base64url')}`,
    );
    expect(names()).toEqual([ids[0], ids[0], ...ids]);
  });

  it('stops at 410 until enabled again, without losing operations', async () => {
    const { webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    answers = [[410]];
    await add('Anna');
    await settled({ isDisabled: true, delivered: 0 });
    await add('Berta');
    expect(messages).toHaveLength(1);
    await manage('PUT', `/${webhookId}`, { isDisabled: false });
    await settled({ isDisabled: false, delivered: 2 });
  });

  it('gives up an operation after the last attempt, counts the failure, and continues with the next operation', async () => {
    await manage('POST', '', { url: address, isPrivateAllowed: true });
    answers = Array.from({ length: RETRY_WAITS_MS.length + 1 }, () => [500] as const);
    await add('Anna');
    for (const [index, waitMs] of RETRY_WAITS_MS.entries()) {
      await settled({ failures: index + 1 });
      stage.clock.advance(waitMs);
    }
    await settled({ deadLetters: 1, failures: 0, delivered: 0 });
    expect(new Set(names()).size).toBe(1);
    await add('Berta');
    await settled({ deadLetters: 1, delivered: 1 });
  });

  it('rejects unusable settings, and hides webhooks of other portals', async () => {
    const { webhookId } = await manage('POST', '', { url: address });
    const other = await StagedPortal.make(stage, `hooks ${++portals}`);
    const refusal = (method: string, path: string, body?: object) =>
      stage.refusal(method, `${PORTALS_PREFIX}/portals/${path}`, body);
    expect((await refusal('DELETE', `${other.portalId}/webhooks/${webhookId}`)).slice(0, 2)).toEqual([
      404,
      'webhook_not_found',
    ]);
    expect((await refusal('GET', `AAAAAAAAAAA./webhooks`)).slice(0, 2)).toEqual([404, 'portal_not_found']);
    for (const url of ['ftp://example.org/', 'nowhere', 'http://user:secret@example.org/'])
      expect((await refusal('POST', `${portal.portalId}/webhooks`, { url }))[0]).toBe(400);
    for (let count = 1; count < 20; count++) await manage('POST', '', { url: address });
    expect((await refusal('POST', `${portal.portalId}/webhooks`, { url: address })).slice(0, 2)).toEqual([
      409,
      'too_many_webhooks',
    ]);
  });

  it('posts failed operations again, those of a period or a single one, with their original ids', async () => {
    const startMs = stage.clock.now();
    const { secret, webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    answers = Array.from({ length: RETRY_WAITS_MS.length + 1 }, () => [500]);
    await add('Anna');
    for (const [at, waitMs] of RETRY_WAITS_MS.entries()) {
      await settled({ failures: at + 1 });
      stage.clock.advance(waitMs * 1.2);
    }
    await settled({ deadLetters: 1, failures: 0 });
    await add('Berta');
    await settled({ delivered: 1 });
    const replay = async (body: object): Promise<unknown> => manage('POST', `/${webhookId}/replay`, body);
    const log = async (): Promise<WebhookLog> => (await manage('GET', `/${webhookId}/log`)) as unknown as WebhookLog;
    const [lost, taken] = (await portal.operations()).slice(-2);
    expect((await log()).deadLetters).toMatchObject([
      { operationId: lost?.operationId, error: 'answered with status 500' },
    ]);
    expect((await log()).attempts.slice(0, 2)).toMatchObject([
      { operationId: taken?.operationId, isTaken: true, error: null },
      { operationId: lost?.operationId, isTaken: false, error: 'answered with status 500' },
    ]);
    messages = [];
    expect(await replay({ isDeadLetters: true, isPreview: true })).toEqual({ count: 1 });
    expect(messages).toEqual([]);
    expect(await replay({ isDeadLetters: true })).toEqual({ count: 1 });
    await settled({ delivered: 2, replays: 0 });
    expect(verified(messages[0], secret)).toMatchObject({ operationId: lost?.operationId });
    expect((await log()).deadLetters).toEqual([]);
    expect(await replay({ from: new Date(startMs).toISOString() })).toEqual({ count: 2 });
    await settled({ delivered: 4, replays: 0 });
    expect(await replay({ operationIds: [taken?.operationId] })).toEqual({ count: 1 });
    await settled({ delivered: 5, replays: 0 });
    expect(names().slice(1)).toEqual([names()[0], names()[2], names()[2]]);
    for (const [body, code] of [
      [{}, 'bad_request'],
      [{ isDeadLetters: true, from: new Date(startMs).toISOString() }, 'bad_request'],
      [{ operationIds: [portal.portalId] }, 'operation_not_found'],
    ] as const) {
      const path = `${PORTALS_PREFIX}/portals/${portal.portalId}/webhooks/${webhookId}/replay`;
      expect((await stage.request('POST', path, body)).body).toMatchObject({ error: code });
    }
  });

  it('follows the schedule for new operations while a repeated operation fails', async () => {
    const { webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    await add('Anna');
    await settled({ delivered: 1 });
    const taken = (await portal.operations()).at(-1)?.operationId;
    answers = Array.from({ length: 4 }, () => [500]);
    const attempts = async (id: string | undefined): Promise<number> => {
      await list();
      const log = (await manage('GET', `/${webhookId}/log`)) as unknown as WebhookLog;
      return log.attempts.filter(({ operationId }) => operationId === id).length;
    };
    await manage('POST', `/${webhookId}/replay`, { operationIds: [taken] });
    for (const [at, waitMs] of RETRY_WAITS_MS.slice(0, 2).entries()) {
      await until('the next attempt', async () => (await attempts(taken)) === at + 2, 30_000);
      stage.clock.advance(waitMs * 1.2);
    }
    await until('the third attempt', async () => (await attempts(taken)) === 4, 30_000);
    await add('Berta');
    await settled({ failures: 1, deadLetters: 0 });
    stage.clock.advance((RETRY_WAITS_MS[0] ?? 0) * 1.2);
    await settled({ delivered: 2, failures: 0, deadLetters: 0, replays: 1 });
    stage.clock.advance((RETRY_WAITS_MS[2] ?? 0) * 1.2);
    await settled({ delivered: 3, replays: 0 });
  });

  it('lists failed operations in pages, discards them on request, and shows its state', async () => {
    const { webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    expect(await list()).toMatchObject([{ state: 'active', backlog: 0, oldestAt: null, maxPerSecond: 100 }]);
    answers = Array.from({ length: 3 * (RETRY_WAITS_MS.length + 1) }, () => [500]);
    for (const name of ['Anna', 'Berta', 'Clara']) await add(name);
    const lost = (await portal.operations()).slice(-3);
    for (let given = 0; given < 3; given++) {
      for (const [at, waitMs] of RETRY_WAITS_MS.entries()) {
        await settled({ failures: at + 1 });
        if (at === 0 && given === 0)
          expect(await list()).toMatchObject([
            { state: 'failing', backlog: 3, oldestAt: lost[0]?.createdAt, failedAt: expect.any(String) as string },
          ]);
        stage.clock.advance(waitMs * 1.2);
      }
      await settled({ deadLetters: given + 1 });
    }
    await settled({ deadLettersKept: 3, backlog: 0, oldestAt: null });
    const path = `/${webhookId}/dead-letters`;
    const portion = async (query: string): Promise<{ ids: readonly string[]; next: string | null }> => {
      const { deadLetters, next } = (await manage('GET', path + query)) as unknown as DeadLetterList;
      return { ids: deadLetters.map(({ operationId }) => operationId), next };
    };
    const ids = lost.map(({ operationId }) => operationId).toReversed();
    const first = await portion('?limit=2');
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(await portion(`?limit=2&cursor=${first.next ?? ''}`)).toEqual({ ids: ids.slice(2), next: null });
    expect(await manage('DELETE', `${path}?preview=true`)).toEqual({ count: 3 });
    expect(await manage('DELETE', `${path}?created_at_lt=2000-01-01`)).toEqual({ count: 0 });
    await manage('DELETE', `${path}/${ids[1] ?? ''}`);
    expect((await portion('')).ids).toEqual([ids[0], ids[2]]);
    const prefix = `${PORTALS_PREFIX}/portals/${portal.portalId}/webhooks${path}`;
    for (const [method, ending, code] of [
      ['DELETE', `/${ids[1] ?? ''}`, 'operation_not_found'],
      ['DELETE', '/nothing', 'bad_query'],
      ['DELETE', '?created_at_gte=soon', 'bad_query'],
      ['DELETE', '?preview=maybe', 'bad_query'],
      ['GET', `?cursor=${ids[0] ?? ''}`, 'bad_cursor'],
    ] as const)
      expect((await stage.request(method, prefix + ending)).body, ending).toMatchObject({ error: code });
    expect(await manage('DELETE', path)).toEqual({ count: 2 });
    expect((await portion('')).ids).toEqual([]);
    await manage('PUT', `/${webhookId}`, { isDisabled: true });
    expect(await list()).toMatchObject([{ state: 'paused' }]);
    await manage('PUT', `/${webhookId}`, { isDisabled: false });
    answers = [[410]];
    await add('Doris');
    await settled({ state: 'gone', backlog: 1 });
    await manage('PUT', `/${webhookId}`, { maxPerSecond: 5 });
    expect(await list()).toMatchObject([{ state: 'gone', maxPerSecond: 5 }]);
    await manage('PUT', `/${webhookId}`, { isDisabled: false });
    await settled({ state: 'active', delivered: 1 });
  });

  it('stays within its configured rate per second', async () => {
    await manage('POST', '', { url: address, isPrivateAllowed: true, maxPerSecond: 2 });
    for (const name of ['Anna', 'Berta', 'Clara', 'Doris', 'Elsa']) await add(name);
    await until('two messages', () => messages.length === 2, 30_000);
    stage.clock.advance(400);
    await list();
    expect(messages).toHaveLength(2);
    stage.clock.advance(100);
    await until('the third message', () => messages.length === 3, 30_000);
    stage.clock.advance(500);
    await until('the fourth message', () => messages.length === 4, 30_000);
  });

  it('is tested with a message that is not an operation', async () => {
    const { secret, webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    answers = [[204], [418]];
    expect(await manage('POST', `/${webhookId}/test`)).toEqual({ isTaken: true, error: null, durationMs: 0 });
    expect(verified(messages[0], secret)).toMatchObject({ type: 'test' });
    expect(await manage('POST', `/${webhookId}/test`)).toMatchObject({
      isTaken: false,
      error: 'answered with status 418',
    });
    expect(await list()).toMatchObject([{ delivered: 0, failures: 0 }]);
  });
});

describe('a webhook receiver that is unreachable for an hour', () => {
  const HOUR_MS = 3_600_000;
  let other: StagedPortal;

  /** Waits until no attempt is due. Returns the webhooks of both portals. */
  async function quiet(): Promise<readonly Webhook[]> {
    let found: Webhook[] = [];
    await until(
      'webhooks without a due attempt',
      async () => {
        found = [...(await list()), ...(await listOf(other))];
        return found.every(
          ({ isDisabled, backlog, nextAttemptAt }) =>
            isDisabled || backlog === 0 || Date.parse(nextAttemptAt ?? '') > stage.clock.now(),
        );
      },
      30_000,
    );
    return found;
  }
  /** Advances the clock, which closes idle connections to the server. */
  async function move(ms: number): Promise<void> {
    stage.clock.advance(ms);
    for (let attempt = 0; attempt < 3; attempt++) await portal.request('GET', '/packages').catch(() => undefined);
  }
  const pathOf = ({ portalId }: StagedPortal): string => `${PORTALS_PREFIX}/portals/${portalId}/webhooks`;
  const listOf = async (of: StagedPortal): Promise<readonly Webhook[]> =>
    ((await stage.request('GET', pathOf(of))).body as { readonly webhooks: readonly Webhook[] }).webhooks;

  it('gets each operation in order, through a restart, another secret, 429, 410 and a lost answer', async () => {
    other = await StagedPortal.make(stage, `hooks ${++portals}`);
    const { secret, webhookId } = await manage('POST', '', { url: address, isPrivateAllowed: true });
    const url = address.replace('/hook', '/other');
    expect((await stage.request('POST', pathOf(other), { url, isPrivateAllowed: true })).status).toBe(201);
    const { port } = receiver.address() as AddressInfo;
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    const startMs = stage.clock.now();
    let rotated = '';
    for (let minute = 0; minute < 60; minute += 5) {
      for (const each of [portal, other]) await each.make('subscribers', { name: `n${minute}` });
      if (minute === 20) await stage.closeDeliveries();
      if (minute === 25) await stage.restartDeliveries();
      if (minute === 40)
        ({ secret: rotated } = await manage('POST', `/${webhookId}/rotate`, { graceSeconds: (3 * HOUR_MS) / 1000 }));
      if (minute !== 20) await quiet();
      await move(HOUR_MS / 12);
    }
    expect(await quiet()).toMatchObject([
      { failures: 4, backlog: 12, state: 'failing' },
      { failures: 4, backlog: 12 },
    ]);
    expect(messages).toEqual([]);
    await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
    answers = [[204], [204], [429, { 'retry-after': '120' }], [204], [0], [204], [410]];
    for (;;) {
      const found = await quiet();
      if (found.every(({ backlog }) => backlog === 0)) break;
      // An operator enables the webhook again after 410.
      if (found.some(({ isDisabled }) => isDisabled)) await manage('PUT', `/${webhookId}`, { isDisabled: false });
      const next = found.flatMap(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') || []);
      if (next.length > 0) await move(Math.min(...next) - stage.clock.now());
    }
    expect(await quiet()).toMatchObject([
      { delivered: 12, deadLetters: 0 },
      { delivered: 12, deadLetters: 0 },
    ]);
    // The fourth attempt was after 40 minutes and the next by the schedule, with a given retry time of two minutes.
    expect(stage.clock.now() - startMs).toBe(2 * HOUR_MS + 42 * 60_000);
    for (const [of, path] of [
      [portal, '/hook'],
      [other, '/other'],
    ] as const) {
      const received = messages.filter((one) => one.path === path);
      const idOf = ({ body }: Message): string => (JSON.parse(body) as { readonly operationId: string }).operationId;
      const ids = (await of.operations()).map(({ operationId }) => operationId);
      // Each operation is accepted once, in log order. An operation without a 2xx answer is sent again next, with the
      // same id.
      expect(received.filter(({ status }) => status === 204).map(idOf)).toEqual(ids);
      for (const [at, message] of received.entries())
        if (message.status !== 204) {
          expect(received[at + 1]?.headers['webhook-id']).toBe(message.headers['webhook-id']);
          expect(idOf(received[at + 1] ?? message)).toBe(idOf(message));
        }
    }
    const received = messages.filter(({ path }) => path === '/hook');
    expect(received.map(({ status }) => status)).toEqual([
      204,
      204,
      429,
      204,
      0,
      204,
      410,
      ...Array.from({ length: 8 }, () => 204),
    ]);
    expect((received[3]?.atMs ?? 0) - (received[2]?.atMs ?? 0)).toBe(120_000);
    // All messages are signed with the previous secret too.
    for (const message of received) expect(verified(message, rotated)).toEqual(verified(message, secret));
    await move(3 * HOUR_MS);
    await add('last');
    await quiet();
    const last = messages.at(-1);
    expect(verified(last, rotated)).toMatchObject({ type: 'createSubscriber' });
    expect(() => verified(last, secret)).toThrow();
  });
});
