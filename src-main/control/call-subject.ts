import type { SessionSource } from './sessions/playback-sessions.ts';
import type { AlarmService } from './alarms/alarm-service.ts';
import type { ShownExports } from './archive/export-port.ts';
import type { CaseService } from './archive/case-service.ts';
import type { ShownClips } from './clips/clip-port.ts';
import type { SubscriberServices } from './subscribers/subscriber-operations.ts';

/** Names of the objects of a change, for the event about the change. */
export interface CallSubject {
  /** The changed object. */
  readonly target: string | null;
  /** The object that contains or owns it. */
  readonly parent: string | null;
  /** Kind of the change, for operations with several. */
  readonly kind: string | null;
}

/** Objects that operations name by an id. */
export interface SubjectSources {
  readonly cases: Pick<CaseService, 'find'>;
  readonly alarms: Pick<AlarmService, 'find'>;
  readonly sessions: Pick<SessionSource, 'get'>;
  readonly archive: { readonly exports: Pick<ShownExports, 'get'> | undefined };
  readonly clips: { readonly clips: Pick<ShownClips, 'get'> };
  readonly subscribers: {
    readonly portals: Pick<SubscriberServices['portals'], 'portal' | 'keys' | 'subscriber' | 'package'>;
    readonly webhooks: Pick<SubscriberServices['webhooks'], 'webhooks'>;
    readonly viewerTokens: Pick<SubscriberServices['viewerTokens'], 'tokens'>;
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Names = readonly [target: string | null, parent?: string | null];

/** Maximum length of a name in an event, in characters. */
const MAX_NAME_CHARS = 200;
/** Maximum length of an id, in characters. */
const MAX_ID_CHARS = 200;
/** Maximum number of streams that an event names. */
const MAX_NAMES = 5;
/** Fields that name the object of an operation, in order of preference. */
const NAME_FIELDS = [
  'name',
  'names',
  'title',
  'prefix',
  'hostname',
  'url',
  'path',
  'subpath',
  'value',
  'login',
] as const;

/**
 * Finds the names of the objects of a change, for an unchecked input. Call it before the change, because after a removal the
 * name cannot be found.
 * @param operation name of the call, or id of the HTTP operation
 * @param sources null for a caller whose rights were refused; names are then not looked up by id
 */
export async function callSubject(
  sources: SubjectSources | null,
  operation: string,
  input: unknown,
): Promise<CallSubject> {
  const fields = fieldsOf(input);
  const [target, parent = null] = (sources && (await namesById(sources, operation, fields))) ?? [givenName(fields)];
  return { target: short(target), parent: short(parent), kind: short(kindOf(fields)) };
}

/** Name of the object that an operation returned; null without one. */
export function nameInAnswer(value: unknown): string | null {
  return short(givenName(fieldsOf(value), ['title', 'name']));
}

/** Fields of an input, with those of the change inside it. */
function fieldsOf(input: unknown): Fields {
  if (typeof input !== 'object' || input === null) return {};
  const change: unknown = Reflect.get(input, 'change');
  return { ...input, ...(typeof change === 'object' ? change : {}) };
}

function kindOf(fields: Fields): string | null {
  if (typeof fields['is_disabled'] === 'boolean') return fields['is_disabled'] ? 'disable' : 'enable';
  if (typeof fields['is_recorded'] === 'boolean') return fields['is_recorded'] ? 'start' : 'stop';
  return textOf(fields, 'type') ?? itemKind(fields['items']);
}

/** Kind of the item that is added to a case; null for several. */
function itemKind(items: unknown): string | null {
  return Array.isArray(items) && items.length === 1 ? textOf(fieldsOf(items[0]), 'kind') : null;
}

/** Name that the input itself contains. */
function givenName(fields: Fields, names: readonly string[] = NAME_FIELDS): string | null {
  for (const field of names) {
    const value = fields[field];
    const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_NAMES) : [value];
    const text = list.filter((name) => typeof name === 'string').join(', ');
    if (text !== '') return field === 'url' ? hostOf(text) : text;
  }
  const version = fields['id'] ?? fields['version'];
  return typeof version === 'number' ? String(version) : null;
}

/** Names of objects that the input identifies by id; null if it has no known id. */
async function namesById(sources: SubjectSources, operation: string, fields: Fields): Promise<Names | null> {
  const portalId = textOf(fields, 'portalId');
  if (portalId !== null) return inPortal(sources.subscribers, portalId, operation, fields);
  if (operation === 'clips.conform') return [textOf(fields, 'path'), textOf(fields, 'name')];
  const id = textOf(fields, 'id');
  if (id === null) return null;
  if (/^(?:cases\.|dvr_case_)/.test(operation)) return [await orNull(() => sources.cases.find(id)?.title)];
  if (/^alarms?[._]/.test(operation)) return [await orNull(() => sources.alarms.find(id)?.name ?? undefined)];
  if (/^sessions?[._]/.test(operation)) {
    const session = await orNull(() => sources.sessions.get(id));
    return [session?.ip ?? null, session?.name ?? null];
  }
  if (operation.includes('export'))
    return [await orNull(() => sources.archive.exports?.get(id)?.request.streams.slice(0, MAX_NAMES).join(', '))];
  if (/^(?:clips\.|file_processor_)/.test(operation))
    return [await orNull(() => sources.clips.clips.get(id)?.request.outputFile)];
  return null;
}

/** Names inside a portal: object and portal, token and subscriber, package and subscriber. */
async function inPortal(
  { portals, webhooks, viewerTokens }: SubjectSources['subscribers'],
  portalId: string,
  operation: string,
  fields: Fields,
): Promise<Names> {
  const caller = { portalId, keyName: '' };
  const [subscriberId, packageId, webhookId] = ['subscriberId', 'packageId', 'webhookId'].map((name) =>
    textOf(fields, name),
  );
  const [keyId, tokenId] = [textOf(fields, 'keyId'), textOf(fields, 'tokenId')];
  // All look-ups start at once, so that they are answered before the change.
  const [portal, subscriber, pack, webhook, key, token] = await Promise.all([
    orNull(async () => (await portals.portal(portalId)).name),
    subscriberId && orNull(async () => (await portals.subscriber(caller, subscriberId)).name),
    packageId && orNull(async () => (await portals.package(caller, packageId)).name),
    webhookId &&
      orNull(async () => (await webhooks.webhooks(portalId)).find((one) => one.webhookId === webhookId)?.url),
    keyId && orNull(async () => (await portals.keys(portalId)).find((one) => one.keyId === keyId)?.name),
    subscriberId &&
      tokenId &&
      orNull(
        async () => (await viewerTokens.tokens(caller, subscriberId)).find((one) => one.tokenId === tokenId)?.name,
      ),
  ]);
  if (packageId && subscriberId) return [pack ?? null, subscriber ?? null];
  if (/token/.test(operation)) return [token ?? textOf(fields, 'name'), subscriber ?? null];
  if (webhookId) return [webhook ? hostOf(webhook) : null, portal];
  const id = subscriberId ?? packageId ?? keyId;
  if (id) return [(subscriber ?? pack ?? key) || null, portal];
  const name = givenName(fields);
  return /^portals\.update$|^portal_save$/.test(operation) ? [portal ?? name] : [name, portal];
}

/** Result of a look-up; null if there is none or the look-up fails. */
async function orNull<T>(lookUp: () => T | undefined | Promise<T | undefined>): Promise<T | null> {
  try {
    return (await lookUp()) ?? null;
  } catch {
    // The change itself reports a missing object or a closed database.
    return null;
  }
}

function textOf(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_CHARS ? value : null;
}

/** Host of an address, whose other parts may be secret. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address.replace(/^.*@/, '').replace(/[/?#].*$/, '');
}

function short(text: string | null): string | null {
  return text === null || text === '' ? null : text.slice(0, MAX_NAME_CHARS);
}
