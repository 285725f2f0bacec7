import { timingSafeEqual, createHash } from 'node:crypto';
import type { ErrorCode } from '../../src-preload/contract/errors.ts';
import { streamNameSchema } from '../../src-preload/contract/streams.ts';
import {
  findTemplate,
  type Config,
  type InputConfig,
  type StreamConfig,
  type StreamSettings,
  type TemplateConfig,
} from '../config/config.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { signatureOf, signingKeys, whyUnsigned } from '../sessions/signed-address.ts';

/** The application under which configured streams are published by RTMP: `rtmp://host/static/<stream>`. */
export const STATIC_APPLICATION = 'static';

/** How long an encoder may be silent before its stream has no input, in milliseconds, where nothing is configured. */
const FRAMES_TIMEOUT_MS = 3000;

/** What the configuration says about a publisher. */
export type PublishTarget =
  | {
      readonly allowed: true;
      readonly name: string;
      readonly settings: StreamConfig | TemplateConfig;
      readonly isConfigured: boolean;
    }
  | {
      readonly allowed: false;
      readonly code: ErrorCode;
      readonly detail: string;
      /** The stream that should show the refusal, where there is one. */
      readonly name?: string;
    };

/** Whether a stream is one that waits for an encoder. */
export function isPublishStream(settings: StreamSettings): boolean {
  return settings.inputs.some((input) => input.url.startsWith('publish://'));
}

/** Whether a stream has something to show without an encoder. */
export function hasOwnPicture(settings: StreamSettings): boolean {
  return settings.backup !== null || settings.inputs.some((input) => !input.url.startsWith('publish://'));
}

/** The settings of a configured stream; without inputs under a live prefix it waits for a publisher, as all there do. */
export function settingsOf(config: Config, name: string): StreamConfig | undefined {
  const settings = config.streams.get(name);
  if (settings?.inputs.length !== 0 || !publishTemplate(config, name)) return settings;
  return { ...settings, inputs: [publishInput(settings.sourceTimeoutMs)] };
}

/** The live prefix or template under which encoders publish a name; undefined where there is none. */
export function publishTemplate(config: Config, name: string): TemplateConfig | undefined {
  const template = findTemplate(config, name);
  return template?.isPublishAllowed === true ? template : undefined;
}

/** The input that waits for a publisher. */
export function publishInput(sourceTimeoutMs: number): InputConfig {
  return {
    url: 'publish://',
    priority: 1,
    framesTimeoutMs: Math.min(FRAMES_TIMEOUT_MS, sourceTimeoutMs),
    sourceTimeoutMs,
    options: {},
  };
}

/** Finds the stream that a publisher may be, by the configuration alone. */
export function findPublishTarget(config: Config, request: PublishRequest, nowMs: number): PublishTarget {
  const target = findByName(config, request.path);
  if (!target.allowed) return target;
  if (target.settings.isDisabled)
    return refuse('publish_not_allowed', `The stream ${target.name} is disabled`, target.name);
  return checkSecrets(config, target, request, nowMs) ?? target;
}

/** Why what an encoder gives does not let it in: a password or a signature does, where the stream wants one of them. */
function checkSecrets(
  config: Config,
  { name, settings }: Extract<PublishTarget, { allowed: true }>,
  { query, peer }: PublishRequest,
  nowMs: number,
): PublishTarget | undefined {
  const { password } = settings;
  const keys = signingKeys(settings.publishKey ?? config.publishKey);
  if (password === null && keys.length === 0) return undefined;
  if (password !== null && isSameSecret(password, query.get('password') ?? '')) return undefined;
  const signature = signatureOf((parameter) => query.get(parameter));
  if (password !== null && (keys.length === 0 || !signature))
    return refuse(
      'publish_bad_password',
      `The password for ${name} is missing or wrong; it goes behind the name as ?password=`,
      name,
    );
  const reason = whyUnsigned(keys, { use: 'publish', name, ip: addressOfPeer(peer) }, signature, nowMs);
  return reason === undefined
    ? undefined
    : refuse(
        'publish_bad_signature',
        `${name} may not be published: ${reason}; ?expires= and &sig= go behind the name`,
        name,
      );
}

function findByName(config: Config, path: string): PublishTarget {
  const prefix = `${STATIC_APPLICATION}/`;
  for (const name of path.startsWith(prefix) ? [path.slice(prefix.length), path] : [path]) {
    const settings = settingsOf(config, name);
    if (!settings) continue;
    if (isPublishStream(settings)) return { allowed: true, name, settings, isConfigured: true };
    return refuse('publish_not_allowed', `The stream ${name} has no input publish://`, name);
  }
  if (!streamNameSchema.safeParse(path).success)
    return refuse('bad_stream_name', `${path} cannot be the name of a stream`);
  const template = publishTemplate(config, path);
  if (template) return { allowed: true, name: path, settings: template, isConfigured: false };
  return refuse(
    'publish_not_allowed',
    `No one may publish as ${path}: it is neither a configured stream nor under a live prefix`,
  );
}

function refuse(code: ErrorCode, detail: string, name?: string): PublishTarget {
  return { allowed: false, code, detail, ...(name === undefined ? {} : { name }) };
}

/** Compares in constant time; hashed first, because the comparison wants equal lengths. */
function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
