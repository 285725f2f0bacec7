import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * Headers of a signed message (Standard Webhooks 1.0.0). It is a type, because an interface cannot be assigned to a record of
 * headers.
 */
export type WebhookHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/**
 * Signs a message: `v1,` and the HMAC-SHA256 of `id.timestamp.body`, once with each secret, so that a secret can be
 * replaced while receivers still use the old one (Standard Webhooks 1.0.0, signature scheme).
 * @param secrets `whsec_` and the key in base64
 * @param id id of the message; contains no full stop
 */
export function signWebhook(secrets: readonly string[], id: string, nowMs: number, body: string): WebhookHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') };
}
