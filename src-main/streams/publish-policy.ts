import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { timingSafeEqual, createHash } from 'node:crypto';
import type { ErrorCode } from '../../src-preload/contract/errors.ts';
import { streamNameSchema } from '../../src-preload/contract/api/streams.ts';
import {
  findTemplate,
  type Config,
  type InputConfig,
  type StreamConfig,
  type StreamSettings,
  type TemplateConfig,
} from '../config/schema/config.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { signatureOf, signingKeys, whyUnsigned } from '../sessions/signed-address.ts';

/** RTMP application of configured streams: `rtmp://host/static/<stream>`. */
export const STATIC_APPLICATION = 'static';

/** Default time without a frame after which the stream of a publisher has no input, in milliseconds. */
const FRAMES_TIMEOUT_MS = 3000;

/** Decision of the configuration about a publisher. */
export type PublishTarget =
  | {
      readonly allowed: true;
      readonly name: string;
      readonly settings: StreamConfig | TemplateConfig;
      readonly isConfigured: boolean;
    }
  | ({
      readonly allowed: false;
      readonly code: ErrorCode;
      /** Stream that shows the refusal, if there is one. */
      readonly name?: string;
    } & Explained);

/** Reports whether a stream waits for an encoder. */
export function isPublishStream(settings: StreamSettings): boolean {
  return settings.inputs.some((input) => input.url.startsWith('publish://'));
}

/** Reports whether a stream can play without an encoder. */
export function hasOwnPicture(settings: StreamSettings): boolean {
  return settings.backup !== null || settings.inputs.some((input) => !input.url.startsWith('publish://'));
}

/**
 * Settings of a configured stream. A stream without inputs under a live prefix waits for a publisher, like all streams
 * under the prefix.
 */
export function settingsOf(config: Config, name: string): StreamConfig | undefined {
  const settings = config.streams.get(name);
  if (settings?.inputs.length !== 0 || !publishTemplate(config, name)) return settings;
  return { ...settings, inputs: [publishInput(settings.sourceTimeoutMs)] };
}

/** Live prefix or template under which encoders publish a name; undefined if there is none. */
export function publishTemplate(config: Config, name: string): TemplateConfig | undefined {
  const template = findTemplate(config, name);
  return template?.isPublishAllowed === true ? template : undefined;
}

/** Input that waits for a publisher. */
export function publishInput(sourceTimeoutMs: number): InputConfig {
  return {
    url: 'publish://',
    priority: 1,
    framesTimeoutMs: Math.min(FRAMES_TIMEOUT_MS, sourceTimeoutMs),
    sourceTimeoutMs,
    options: {},
  };
}

/** Finds the stream of a publisher, by the configuration only. */
export function findPublishTarget(config: Config, request: PublishRequest, nowMs: number): PublishTarget {
  const target = findByName(config, request.path);
  if (!target.allowed) return target;
  if (target.settings.isDisabled)
    return refuse('publish_not_allowed', because('publish_stream_disabled', { name: target.name }), target.name);
  return checkSecrets(config, target, request, nowMs) ?? target;
}

/** Refusal of an encoder without a valid password or signature; undefined if one of them is valid or none is needed. */
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
    return refuse('publish_bad_password', because('publish_password', { name }), name);
  const reason = whyUnsigned(keys, { use: 'publish', name, ip: addressOfPeer(peer) }, signature, nowMs);
  return reason === undefined
    ? undefined
    : refuse('publish_bad_signature', because('publish_signature', { name, explanation: { detail: reason } }), name);
}

function findByName(config: Config, path: string): PublishTarget {
  const prefix = `${STATIC_APPLICATION}/`;
  for (const name of path.startsWith(prefix) ? [path.slice(prefix.length), path] : [path]) {
    const settings = settingsOf(config, name);
    if (!settings) continue;
    if (isPublishStream(settings)) return { allowed: true, name, settings, isConfigured: true };
    return refuse('publish_not_allowed', because('publish_no_input', { name }), name);
  }
  if (!streamNameSchema.safeParse(path).success)
    return refuse('bad_stream_name', because('publish_bad_name', { name: path }));
  const template = publishTemplate(config, path);
  if (template) return { allowed: true, name: path, settings: template, isConfigured: false };
  return refuse('publish_not_allowed', because('publish_unknown', { name: path }));
}

function refuse(code: ErrorCode, why: Explained, name?: string): PublishTarget {
  return { allowed: false, code, ...why, ...(name === undefined ? {} : { name }) };
}

/** Compares two secrets in constant time. Compares their hashes, because `timingSafeEqual` needs equal lengths. */
function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
