import { ROLES, type Role } from '../../src-preload/contract/operations/roles.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QualityHistory } from '../streams/quality-history.ts';
import { CALLS, type CallName, type Reply, type TopicPayload } from '../../src-preload/contract/index.ts';
import { CollectionStage } from '../../tests/helpers/collection-stage.ts';
import { ABSENT_SERVICES } from '../../tests/helpers/absent-services.ts';
import { testSession } from '../../tests/helpers/api-stage.ts';
import { sessionSource } from '../../tests/helpers/session-source.ts';
import { systemPort } from '../../tests/helpers/system-port.ts';
import { silentLog } from '../lib/log.ts';
import { Tickets } from '../lib/tickets.ts';
import type { Caller } from '../operators/caller.ts';
import { Alarms } from '../monitor/alarms.ts';
import { AlarmService } from './alarms/alarm-service.ts';
import { Desk } from './desk.ts';
import { EventServices } from './system/event-services.ts';

const ID = 'AAAAAAAAAAA.';
/** Streams outside the prefix: more than fit into one message. */
const MANY = Array.from({ length: 450 }, (_, at) => `many/${at}`);
const CONFIG = `http 80; live studio/live { } live other { } stream studio/a { input fake://; } stream studio/c { input fake://; } stream studios { input fake://; }
  ${MANY.map((name) => `stream ${name} { input publish://; }`).join('\n')}`;
const ALL: Caller = { mayRead: true, mayWrite: true, mayOperate: true, who: 'token all', address: '192.0.2.1' };
const STUDIO: Caller = { ...ALL, who: 'token studio', prefixes: ['studio'] };
const OPERATE: Caller = { ...STUDIO, mayWrite: false };
const VIEW: Caller = { ...OPERATE, mayOperate: false };
/** People who are limited to the same streams. */
const PEOPLE = ROLES.map((role): Caller => ({ ...VIEW, who: role, role, mayWrite: role === 'administrator' }));

const folder = mkdtempSync(join(tmpdir(), 'airdesk-desk-'));
let raised = '';
const alarms = new Alarms({
  now: () => 1,
  newId: () => `alarm-${raised}`,
  changed: () => undefined,
  happened: () => undefined,
});
for (raised of ['studio/a', 'studios'])
  alarms.measure(
    { name: raised, alarm: 'no_input', fault: 'no_frames', facts: {}, isFaulty: true },
    { severity: 'major', raiseMs: 0, clearMs: 0 },
  );
let stage: CollectionStage;
let events: EventServices;
let desk: Desk;

beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
  const { clock, configuration, streams } = stage;
  events = await EventServices.open({ dataFolder: folder, server: 's', version: '1', clock, log: silentLog });
  for (const name of ['studio/a', 'studios'])
    stage.sessions.set(`session-${name}`, testSession(`session-${name}`, name));
  desk = new Desk({
    hasSandbox: true,
    logDownloads: new Tickets(clock),
    switchRecording: () => undefined,
    quality: (entry) => new QualityHistory().of(entry, 0),
    configuration,
    streams,
    events,
    clock,
    log: silentLog,
    describe: () => ({
      version: '1',
      hostname: 's',
      started_at: 0,
      base_url: 'http://127.0.0.1:80',
      rtmp_url: null,
      has_edit_login: true,
      has_view_login: true,
    }),
    viewQuery: (_, reach) => `token=${typeof reach === 'string' ? reach : reach.join()}`,
    ...ABSENT_SERVICES,
    sessions: sessionSource(stage.sessions),
    subscribers: stage.subscriberServices!,
    clips: stage.clipCalls,
    archive: stage.archiveCalls,
    cases: stage.archiveServices.cases,
    system: systemPort(),
    alarms: new AlarmService({ alarms, history: undefined }),
  });
});
afterAll(async () => {
  desk.close();
  await events.close();
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const API_CALL = {
  method: 'CALL',
  operation: null,
  target: null,
  parent: null,
  kind: null,
  status: 200,
  ip: null,
  user_agent: null,
  duration_ms: 1,
  trace_id: null,
} as const;

function outcome(reply: Reply<unknown>): string {
  return reply.ok ? 'ok' : reply.error.code;
}

/** Results of each call for the scopes view, operate and admin: inside the prefix, and outside if it names a stream. */
const CALLS_TABLE: { readonly [N in CallName]: readonly (readonly [input: unknown, outcomes: readonly string[]])[] } = {
  'server.info': [[{}, ['ok', 'ok', 'ok']]],
  'streams.list': [[{}, ['ok', 'ok', 'ok']]],
  'streams.add': [
    [{ name: 'studio/b', input_url: 'fake://' }, ['forbidden', 'forbidden', 'ok']],
    [{ name: 'studiob', input_url: 'fake://' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.remove': [
    [{ name: 'studio/b' }, ['forbidden', 'forbidden', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.remove_all': [
    [{ names: ['studio/c'] }, ['forbidden', 'forbidden', 'ok']],
    [{ names: ['studio/c', 'studios'] }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.disable_all': [
    [{ names: ['studio/a'], is_disabled: false }, ['forbidden', 'forbidden', 'ok']],
    [{ names: ['studio/a', 'studios'], is_disabled: true }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  // These streams have no archive.
  'streams.record_all': [
    [{ names: ['studio/a'], is_recorded: true }, ['forbidden', 'archive_not_kept', 'archive_not_kept']],
    [{ names: ['studios'], is_recorded: true }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  // The configuration has no storage, and a caller limited to a prefix must not add one.
  'streams.add_recording': [
    [{ names: ['studio/a'] }, ['forbidden', 'forbidden', 'forbidden']],
    [{ names: ['studios'] }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.select_input': [
    [{ name: 'studio/a', input: 0 }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios', input: 0 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.quality': [
    [{ name: 'studio/a' }, ['ok', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.transmissions': [[{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']]],
  'streams.pushes': [
    [{ name: 'studio/a' }, ['ok', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.add_push': [
    [{ name: 'studio/a', url: 'rtmp://192.0.2.1/live/key' }, ['forbidden', 'forbidden', 'ok']],
    [{ name: 'studios', url: 'rtmp://192.0.2.1/live/key' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.change_push': [
    [{ name: 'studio/a', id: 'x', disabled: true }, ['forbidden', 'forbidden', 'push_not_found']],
    [{ name: 'studios', id: 'x', disabled: true }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.switch_pushes': [
    [{ name: 'studio/a', ids: ['x'], is_disabled: true }, ['forbidden', 'forbidden', 'push_not_found']],
    [{ name: 'studios', ids: ['x'], is_disabled: true }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.remove_push': [
    [{ name: 'studio/a', id: 'x' }, ['forbidden', 'forbidden', 'push_not_found']],
    [{ name: 'studios', id: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  // A token that may add streams may check any address. This server opens none.
  'streams.probe_address': [[{ input_url: 'fake://' }, ['forbidden', 'forbidden', 'unavailable']]],
  'streams.probe_input': [
    [{ name: 'studio/a', index: 0 }, ['forbidden', 'unavailable', 'unavailable']],
    [{ name: 'studios', index: 0 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'streams.cancel_probe': [[{ id: 'x' }, ['forbidden', 'unavailable', 'unavailable']]],
  'streams.restart': [
    [{ name: 'studio/a' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  // There is no such session.
  'ads.as_run': [[{ limit: 1 }, ['forbidden', 'unavailable', 'unavailable']]],
  'ads.download_as_run': [[{ format: 'csv' }, ['forbidden', 'unavailable', 'unavailable']]],
  'ads.download_key': [[{}, ['forbidden', 'unavailable', 'unavailable']]],
  'ads.explain': [
    [{ name: 'studio/a', session: 'x' }, ['session_not_found', 'session_not_found', 'session_not_found']],
    [{ name: 'studios', session: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'ads.splice_insert': [
    [{ name: 'studio/a' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'sessions.list': [[{}, ['ok', 'ok', 'ok']]],
  'sessions.close': [
    [{ id: 'session-studios' }, ['forbidden', 'session_not_found', 'session_not_found']],
    // The second call has closed the session.
    [{ id: 'session-studio/a' }, ['forbidden', 'ok', 'session_not_found']],
  ],
  'sessions.close_all': [[{ ids: ['session-studios', 'none'] }, ['forbidden', 'ok', 'ok']]],
  'sessions.bans': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'sessions.ban': [[{ kind: 'user', value: 'a', seconds: 60 }, ['forbidden', 'forbidden', 'forbidden']]],
  'sessions.unban': [[{ id: 'user:a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'alarms.list': [[{}, ['ok', 'ok', 'ok']]],
  // The server of this test stores no alarms.
  'alarms.history': [[{ limit: 1 }, ['unavailable', 'unavailable', 'unavailable']]],
  'alarms.download_history': [[{ format: 'csv' }, ['unavailable', 'unavailable', 'unavailable']]],
  'alarms.download_loudness': [
    [{ name: 'studios', day: '2027-01-15' }, ['forbidden', 'forbidden', 'forbidden']],
    [{ name: 'studio/a', day: '2027-01-15' }, ['unavailable', 'unavailable', 'unavailable']],
  ],
  'alarms.evidence': [
    [{ name: 'studios', id: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
    [{ name: 'studio/a', id: 'x' }, ['alarm_not_found', 'alarm_not_found', 'alarm_not_found']],
  ],
  // This server keeps no loudness. Streams outside the prefix are refused before that is checked.
  'alarms.loudness': [
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
    [{ name: 'studio/a' }, ['unavailable', 'unavailable', 'unavailable']],
  ],
  'alarms.acknowledge': [
    [{ id: 'alarm-studios' }, ['forbidden', 'alarm_not_found', 'alarm_not_found']],
    [{ id: 'alarm-studio/a' }, ['forbidden', 'ok', 'ok']],
  ],
  'alarms.shelve': [
    [{ id: 'alarm-studios', seconds: 1 }, ['forbidden', 'alarm_not_found', 'alarm_not_found']],
    [{ id: 'alarm-studio/a', seconds: 1 }, ['forbidden', 'ok', 'ok']],
  ],
  'walls.list': [[{}, ['ok', 'ok', 'ok']]],
  // The server of this test stores no walls.
  'walls.save': [
    [{ name: 'a', key: 1, columns: 1, rows: 1, streams: ['studio/a'] }, ['forbidden', 'unavailable', 'unavailable']],
  ],
  'walls.remove': [[{ name: 'a' }, ['forbidden', 'unavailable', 'unavailable']]],
  // There is no such wall.
  'walls.recall': [[{ name: 'a' }, ['forbidden', 'not_found', 'not_found']]],
  'walls.label': [
    [{ name: 'studio/a' }, ['ok', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'walls.set_label': [
    [{ name: 'studio/a', tally: 'red' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios', tally: 'red' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'walls.remove_label': [
    [{ name: 'studio/a' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'config.text': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.version_text': [[{ id: 1 }, ['forbidden', 'forbidden', 'forbidden']]],
  'config.directives': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.check': [[{ text: '' }, ['forbidden', 'forbidden', 'forbidden']]],
  'config.edit_text': [
    [
      { text: '', edits: [{ block: 'stream', name: 'studio/a', directive: 'title', index: 0, words: null }] },
      ['forbidden', 'forbidden', 'forbidden'],
    ],
  ],
  'config.apply': [[{ text: '', revision: '1.1' }, ['forbidden', 'forbidden', 'forbidden']]],
  'config.state': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.versions': [[{ limit: 1 }, ['forbidden', 'forbidden', 'forbidden']]],
  'config.compare_file': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.undo': [[{ version: 1 }, ['forbidden', 'forbidden', 'forbidden']]],
  'config.confirm': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.rollback': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.reload': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'config.restore': [[{ id: 1 }, ['forbidden', 'forbidden', 'forbidden']]],
  'events.recent': [[{}, ['ok', 'ok', 'ok']]],
  'events.sinks': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'events.test_sink': [[{ name: 'a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'events.replay_sink': [[{ name: 'a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'archive.streams': [[{}, ['ok', 'ok', 'ok']]],
  'archive.recorded': [
    [{ names: ['studio/a'], from: 0, to: 1 }, ['ok', 'ok', 'ok']],
    [{ names: ['studio/a', 'studios'], from: 0, to: 1 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.marks': [
    [{ names: ['studio/a'], from: 0, to: 1 }, ['ok', 'ok', 'ok']],
    [{ names: ['studios'], from: 0, to: 1 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.splices': [
    [{ names: ['studio/a'], from: 0, to: 1 }, ['unavailable', 'unavailable', 'unavailable']],
    [{ names: ['studio/a', 'studios'], from: 0, to: 1 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.loudness': [
    [{ name: 'studio/a', from: 0, to: 1, points: 1 }, ['unavailable', 'unavailable', 'unavailable']],
    [{ name: 'studios', from: 0, to: 1, points: 1 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.lock': [
    [{ name: 'studio/a', from: 0, to: 1, note: '' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios', from: 0, to: 1, note: '' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.unlock': [
    [{ name: 'studio/a', from: 0, to: 1 }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios', from: 0, to: 1 }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.allow_deletion': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'archive.add_note': [
    [{ name: 'studio/a', at: 0, text: 'x' }, ['forbidden', 'ok', 'ok']],
    [{ name: 'studios', at: 0, text: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.remove_note': [
    [{ name: 'studio/a', id: 'x' }, ['forbidden', 'not_found', 'not_found']],
    [{ name: 'studios', id: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.restore_note': [
    [{ name: 'studio/a', id: 'x' }, ['forbidden', 'not_found', 'not_found']],
    [{ name: 'studios', id: 'x' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.exports': [[{}, ['ok', 'ok', 'ok']]],
  'archive.export': [
    // The stage has no exports.
    [{ name: 'studio/a', from: 0, duration: 1 }, ['forbidden', 'unavailable', 'unavailable']],
    [{ names: ['studios'], from: 0, duration: 1 }, ['forbidden', 'forbidden', 'forbidden']],
    // A VOD location is not a stream.
    [{ name: 'studio/a', from: 0, duration: 1, path: 'clips/a.mp4' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'archive.download_export': [[{ id: 'x', file: 0 }, ['forbidden', 'unavailable', 'unavailable']]],
  'archive.cancel_export': [[{ id: 'x' }, ['forbidden', 'unavailable', 'unavailable']]],
  'cases.list': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.items': [[{ id: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.create': [[{ title: 'x', note: '' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.rename': [[{ id: 'x', title: 'x', note: '' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.remove': [[{ id: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.restore': [[{ id: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.add': [
    [
      { id: 'x', items: [{ kind: 'mark', name: 'studio/a', from: 0, text: '' }] },
      ['forbidden', 'forbidden', 'forbidden'],
    ],
  ],
  'cases.order': [[{ id: 'x', order: [] }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.put_back': [[{ id: 'x', item: 'y' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.take_out': [[{ id: 'x', item: 'y' }, ['forbidden', 'forbidden', 'forbidden']]],
  'cases.export': [[{ id: 'x', packing: 'mp4', exact: true }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.locations': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.files': [[{ location: 'ads', folder: '', after: '' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.compare': [[{ path: 'ads/a.mp4', name: 'studio/a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.jobs': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.conform': [[{ path: 'ads/a.mp4', name: 'studio/a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.upload': [
    [
      { location: 'ads', folder: '', name: 'a.mp4', sizeBytes: 1, mayReplace: false },
      ['forbidden', 'forbidden', 'forbidden'],
    ],
  ],
  'clips.preview': [[{ path: 'ads/a.mp4' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.backends': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.save_backend': [[{ name: 'a', text: '{}' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.delete_backend': [[{ name: 'a' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.delete': [[{ path: 'ads/a.mp4' }, ['forbidden', 'forbidden', 'forbidden']]],
  'clips.cancel': [[{ id: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.list': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.create': [[{ name: 'p' }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.get': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.update': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.keys': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.create_key': [[{ portalId: ID, name: 'k' }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.rotate_key': [[{ portalId: ID, keyId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.remove_key': [[{ portalId: ID, keyId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.webhooks': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.create_webhook': [
    [{ portalId: ID, url: 'https://hooks.example/a' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'portals.update_webhook': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.rotate_webhook': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.remove_webhook': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.exports': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.create_export': [[{ portalId: ID, format: 'csv' }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.remove_export': [[{ portalId: ID, exportId: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.webhook_log': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.test_webhook': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.replay_webhook': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.dead_letters': [[{ portalId: ID, webhookId: ID, limit: 1 }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.discard_dead_letters': [[{ portalId: ID, webhookId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'portals.verify': [[{ portalId: ID, isNew: true }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.list': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.get': [[{ portalId: ID, subscriberId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.find': [[{ portalId: ID, keys: [] }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.import': [[{ portalId: ID, rows: [] }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.tokens': [[{ portalId: ID, subscriberId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.create_token': [[{ portalId: ID, subscriberId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.remove_token': [
    [{ portalId: ID, subscriberId: ID, tokenId: ID }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'subscribers.packages': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.operations': [[{ portalId: ID }, ['forbidden', 'forbidden', 'forbidden']]],
  'subscribers.change': [
    [{ portalId: ID, change: { type: 'enableSubscriber', subscriberId: ID } }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'system.state': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'system.diagnostics': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'people.list': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'people.create': [
    [{ login: 'anna', role: 'viewer', password: 'a long phrase' }, ['forbidden', 'forbidden', 'forbidden']],
  ],
  'people.update': [[{ login: 'anna' }, ['forbidden', 'forbidden', 'forbidden']]],
  'people.set_password': [[{ login: 'anna', password: 'a long phrase' }, ['forbidden', 'forbidden', 'forbidden']]],
  'people.change_own_password': [
    [{ current_password: 'x', password: 'a long phrase' }, ['forbidden', 'unavailable', 'unavailable']],
  ],
  'people.remove': [[{ login: 'anna' }, ['forbidden', 'forbidden', 'forbidden']]],
  'people.sessions': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
  'people.end_session': [[{ id: 'x' }, ['forbidden', 'forbidden', 'forbidden']]],
  'system.confirm_keys': [[{}, ['forbidden', 'forbidden', 'forbidden']]],
};

/** Lets pending work run in several turns of the event loop. */
async function turns(): Promise<void> {
  for (let count = 0; count < 8; count++) await new Promise((resolve) => setImmediate(resolve));
}

describe('the desk for a token with a prefix', () => {
  it.each(Object.keys(CALLS) as CallName[])('answers %s only for streams within the prefix', async (name) => {
    for (const [input, expected] of CALLS_TABLE[name]) {
      const replies: Reply<unknown>[] = [];
      for (const caller of [VIEW, OPERATE, STUDIO]) replies.push(await desk.call(name, input, caller));
      expect(replies.map(outcome), JSON.stringify([input, replies])).toEqual(expected);
    }
  });

  it.each(Object.keys(CALLS) as CallName[])('answers %s to people within their streams only', async (name) => {
    for (const [input, outcomes] of CALLS_TABLE[name])
      for (const person of PEOPLE) {
        const reply = await desk.call(name, input, person);
        const about = JSON.stringify([person.who, input, reply]);
        if (outcomes.at(-1) === 'forbidden') expect(outcome(reply), about).toMatch(/^(?:role_)?forbidden$/);
        if (reply.ok) expect(JSON.stringify(reply.value), about).not.toMatch(/studios|many\//);
      }
  });

  it('lists only its streams', async () => {
    for (const caller of [VIEW, OPERATE, STUDIO]) {
      const text = JSON.stringify(await desk.call('streams.list', {}, caller));
      expect(text).toContain('studio/a');
      expect(text).not.toContain('studios');
    }
  });

  it('closes no sessions of other streams', async () => {
    const reply = await desk.call('sessions.close_all', { ids: ['session-studios', 'none'] }, STUDIO);
    expect(reply).toEqual({ ok: true, value: { closed: 0 } });
  });

  it('lists only alarms of its streams', async () => {
    const names = async (caller: Caller): Promise<unknown> => {
      const reply = await desk.call('alarms.list', {}, caller);
      return reply.ok && (reply.value as { alarms: { name: string }[] }).alarms.map(({ name }) => name);
    };
    expect([await names(STUDIO), await names(ALL)]).toEqual([['studio/a'], ['studio/a', 'studios']]);
  });

  it('reports its scope, and no information about the entire server', async () => {
    const reply = await desk.call('server.info', {}, STUDIO);
    expect(reply).toMatchObject({
      ok: true,
      value: { prefixes: ['studio'], may_write: true, live_prefixes: ['studio/live'], config_error: null },
    });
    expect(JSON.stringify(reply)).toContain('token=studio');
    expect(JSON.stringify(await desk.call('server.info', {}, VIEW))).toContain('token=open');
    expect(JSON.stringify(await desk.call('server.info', {}, ALL))).toContain('token=all');
  });

  it.each([
    ['view_auth', { who: 'viewer' }, 'all'],
    ['a person who may see walls', { who: 'anna', role: 'viewer' }, 'all'],
    ['a person with some streams', { who: 'fred', role: 'viewer', prefixes: ['studio'] }, 'studio'],
    ['a person who may see no wall', { who: 'carl', role: 'clerk' }, 'open'],
    ['a caller without a login', { who: 'anyone' }, 'open'],
    ['a token', { who: 'token view' }, 'open'],
  ] as const)('plays streams with the login of %s as %j: %s', async (_, caller, reach) => {
    const reader: Caller = { mayRead: true, mayWrite: false, address: '192.0.2.1', ...caller };
    const reply = await desk.call('server.info', {}, reader);
    expect(reply).toMatchObject({ ok: true, value: { may_watch_all: reach !== 'open' } });
    expect(JSON.stringify(reply)).toContain(`token=${reach}`);
  });

  it('refuses calls, topics and events by the role of a person', async () => {
    const clerk: Caller = { mayRead: true, mayWrite: false, who: 'carl', role: 'clerk', address: '192.0.2.1' };
    expect(outcome(await desk.call('streams.restart', { name: 'studios' }, clerk))).toBe('role_forbidden');
    expect(outcome(await desk.call('alarms.list', {}, clerk))).toBe('role_forbidden');
    expect(outcome(await desk.call('streams.list', {}, clerk))).toBe('ok');
    expect(desk.subscribe('wall', () => undefined, clerk)).toBeUndefined();
    const operator: Caller = { ...clerk, role: 'operator' };
    expect(outcome(await desk.call('streams.restart', { name: 'studios' }, operator))).toBe('ok');
    expect(outcome(await desk.call('portals.list', {}, operator))).toBe('role_forbidden');
    const kinds = async (role: Role): Promise<readonly unknown[]> => {
      const reply = await desk.call('events.recent', {}, { ...clerk, role });
      return reply.ok ? (reply.value as { events: unknown[] }).events : [];
    };
    expect(await kinds('viewer')).toEqual([]);
    expect((await kinds('clerk')).length).toBeGreaterThan(0);
  });

  it('receives changes of its streams only', async () => {
    const received: unknown[] = [];
    const end = desk.subscribe('streams', (payload) => received.push(payload), STUDIO);
    const names = (): string[] =>
      received.flatMap((payload) => (payload as { changed: { name: string }[] }).changed.map(({ name }) => name));
    expect(names()).toEqual(['studio/a']);
    stage.clock.advance(1000);
    received.length = 0;
    await stage.streams.restart('studios');
    stage.clock.advance(1000);
    expect(received).toEqual([]);
    await stage.streams.restart('studio/a');
    stage.clock.advance(1000);
    expect(new Set(names())).toEqual(new Set(['studio/a']));
    end?.();
  });

  it('receives many streams in several messages, each after the previous message was accepted, with later changes', async () => {
    const received: TopicPayload<'streams'>[] = [];
    let take: () => void = () => undefined;
    const listener = (payload: object): Promise<void> => {
      received.push(payload as TopicPayload<'streams'>);
      return new Promise((resolve) => (take = resolve));
    };
    const end = desk.subscribe('streams', listener, ALL);
    const streamCount = stage.configuration.config.streams.size;
    await turns();
    expect(received.map(({ is_snapshot: isFirst, left }) => [isFirst, left])).toEqual([[true, streamCount - 200]]);
    take();
    await turns();
    take();
    await turns();
    expect(received.map(({ left }) => left)).toEqual([streamCount - 200, streamCount - 400, 0]);
    const names = received.flatMap(({ changed }) => changed.map(({ name }) => name));
    expect(names).toEqual([...stage.configuration.config.streams.keys()]);
    end?.();
    const payloads: TopicPayload<'streams'>[] = [];
    const endOfStudio = desk.subscribe(
      'streams',
      (payload) => payloads.push(payload as TopicPayload<'streams'>),
      STUDIO,
    );
    await turns();
    expect(payloads.map(({ left }) => left)).toEqual([streamCount - 200, streamCount - 400, 0]);
    endOfStudio?.();
  });

  it('stores and sends nothing about streams that ended while no desk was connected', async () => {
    for (let index = 0; index < 3; index++) {
      await desk.call('streams.add', { name: `studio/gone${index}`, input_url: 'fake://' }, STUDIO);
      await desk.call('streams.remove', { name: `studio/gone${index}` }, STUDIO);
    }
    stage.clock.advance(1000);
    const removed: string[] = [];
    const end = desk.subscribe(
      'streams',
      (payload) => removed.push(...(payload as TopicPayload<'streams'>).removed),
      STUDIO,
    );
    stage.clock.advance(1000);
    expect(removed).toEqual([]);
    await desk.call('streams.add', { name: 'studio/late', input_url: 'fake://' }, STUDIO);
    await desk.call('streams.remove', { name: 'studio/late' }, STUDIO);
    stage.clock.advance(1000);
    expect(removed).toEqual(['studio/late']);
    end?.();
  });

  it('receives events of its streams only, without the number of other events', async () => {
    const received: TopicPayload<'events'>[] = [];
    const all: TopicPayload<'events'>[] = [];
    const emit = async (name: string, count = 1): Promise<void> => {
      for (let index = 0; index < count; index++) events.bus.emit('stream_opened', { media: name, reason: 'restart' });
      await events.bus.drained();
      stage.clock.advance(1000);
    };
    await emit('studios');
    await emit('studio/a');
    const ends = [
      desk.subscribe('events', (payload) => received.push(payload as TopicPayload<'events'>), {
        ...STUDIO,
        who: 'token new',
      }),
      desk.subscribe('events', (payload) => all.push(payload as TopicPayload<'events'>), ALL),
    ];
    await emit('studios', 600);
    await emit('studio/a');
    const media = (payloads: readonly TopicPayload<'events'>[]): unknown[] =>
      payloads.map((payload) => [payload.is_snapshot, payload.events.map((event) => event.media), payload.skipped]);
    expect(media(received)).toEqual([
      [true, ['studio/a'], 0],
      [false, ['studio/a'], 0],
    ]);
    expect(all.map(({ skipped }) => skipped)).toEqual([0, 100, 0]);
    for (const end of ends) end?.();
    await emit('studio/a');
    expect(received).toHaveLength(2);
  });

  it('receives recent events of its streams, after any number of other events', async () => {
    events.bus.emit('stream_opened', { media: 'studio/a', reason: 'configured' });
    for (let index = 0; index < 50; index++) events.bus.emit('server_starting', { version: String(index) });
    await events.bus.drained();
    const reply = await desk.call('events.recent', { limit: 1 }, VIEW);
    expect(reply).toMatchObject({ ok: true, value: { events: [{ media: 'studio/a', reason: 'configured' }] } });
    expect(await desk.call('events.recent', { media: 'studios' }, STUDIO)).toEqual({ ok: true, value: { events: [] } });
  });

  it('receives its own acts without a stream, and no acts of others', async () => {
    const anna: Caller = { ...VIEW, who: 'anna', role: 'operator' };
    const received: TopicPayload<'events'>[] = [];
    const end = desk.subscribe('events', (payload) => received.push(payload as TopicPayload<'events'>), anna);
    for (const user of ['anna', 'bert', null])
      events.bus.emit('api_call', { ...API_CALL, path: `walls.save by ${user}`, user });
    await events.bus.drained();
    stage.clock.advance(1000);
    const paths = (shown: readonly object[]): unknown[] =>
      shown.flatMap((event) => ('path' in event ? [event.path] : []));
    expect(paths(received.flatMap((payload) => payload.events))).toEqual(['walls.save by anna']);
    const reply = await desk.call('events.recent', { event: 'api_call' }, anna);
    expect(reply.ok && paths((reply.value as { events: object[] }).events)).toEqual(['walls.save by anna']);
    end?.();
  });
});
