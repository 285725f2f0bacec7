import { z } from 'zod';
import { READ_ONLY, flag, integerOrNull, optionalFlag, text, textOrNull } from '../api-parts.ts';
import { id } from './operation-object.ts';

const next = textOrNull('cursor of the next page; null on the last page');
const created = z.string().meta({ ...READ_ONLY, description: 'time of its creation, ISO 8601 in UTC' });
const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'Expected a text without control characters');
const countryCode = z.string().regex(/^[0-9]{0,4}$/, 'Expected here are at most 4 digits, without + and 00');
const phone = z.string().regex(/^[0-9]{0,20}$/, 'Expected here are at most 20 digits, without the country code');
const customerNumber = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'Expected a text without control characters');
const note = z.string().trim().max(2000);

/** Scopes of a portal key. */
export const PORTAL_SCOPES = ['operations', 'read', 'write'] as const;
const scopes = z
  .array(z.enum(PORTAL_SCOPES))
  .describe('operations: read the log; read: read everything; write: read and change everything');

/** Portal: a tenant whose subscribers and packages are invisible to other portals. */
export const portalSchema = z.object({
  portalId: id('unique; the last part of its address'),
  name: text('name of the portal'),
  isAutoRegistration: flag('whether a first login creates the subscriber'),
  isDisabled: flag('whether all of its keys are refused'),
  createdAt: created,
});
export type Portal = z.infer<typeof portalSchema>;
/** Answer of `GET /portals`. */
export const portalListSchema = z.object({ portals: z.array(portalSchema).describe('all portals, by name') });
/** Body of `POST /portals`. */
export const portalCreateSchema = z.strictObject({
  name: name.describe('unique name'),
  isAutoRegistration: optionalFlag('whether a first login creates the subscriber; default false'),
});
/** Body of `PUT /portals/{portalId}`: sets the given fields. */
export const portalWriteSchema = z.strictObject({
  name: name.optional().describe('unique name'),
  isAutoRegistration: optionalFlag('whether a first login creates the subscriber'),
  isDisabled: optionalFlag('whether all of its keys are refused'),
});

/** Key of a portal, without its secret. */
const portalKeySchema = z.object({
  keyId: id('unique; the last part of its address'),
  name: text('purpose of the key'),
  scopes,
  createdAt: created,
  lastUsedAt: textOrNull('last use, to the minute; null for never'),
  rotatedAt: textOrNull('last replacement of the secret; null for never'),
  previousUntil: textOrNull('time until which the previous secret is valid too; null if it is not'),
});
export type PortalKey = z.infer<typeof portalKeySchema>;
/** Answer of `GET /portals/{portalId}/keys`. */
export const portalKeyListSchema = z.object({ keys: z.array(portalKeySchema).describe('the keys of the portal') });
/** Key with its secret; only the answer to its creation contains it. */
export const issuedPortalKeySchema = portalKeySchema.extend({
  token: text('value for the X-Auth-Token header; not stored, not shown again'),
});
/** Body of `POST /portals/{portalId}/keys`. */
export const portalKeyCreateSchema = z.strictObject({
  name: name.describe('purpose of the key; unique in the portal'),
  scopes: scopes.min(1).optional().describe('scopes; default write'),
});
/** Body of `POST /portals/{portalId}/keys/{keyId}/rotate`. */
export const portalKeyRotateSchema = z.strictObject({
  graceSeconds: z
    .number()
    .int()
    .min(0)
    .max(2_592_000)
    .optional()
    .describe('seconds for which the previous secret stays valid; default 86400'),
});

const planFields = {
  startsAt: textOrNull('planned start, ISO 8601 in UTC; null without one'),
  endsAt: textOrNull('planned end, ISO 8601 in UTC; null without one'),
  state: z
    .enum(['planned', 'active', 'ended'])
    .describe('whether the subscription waits for its start, runs, or has ended as planned'),
};
/** Planned period of a subscription. */
const subscriptionPlanSchema = z.object({ packageId: id('the package'), ...planFields });
export type SubscriptionPlan = z.infer<typeof subscriptionPlanSchema>;

/** A subscriber. */
export const subscriberSchema = z.object({
  subscriberId: id('unique; the last part of its address'),
  name: text('name of the subscriber'),
  phoneCountryCode: text('country calling code, digits; may be empty'),
  phone: text('number without the country code, digits; may be empty'),
  customerNumber: text('number in the billing system; may be empty'),
  note: text('note of the operator; may be empty'),
  isDisabled: flag('whether the subscriber is blocked'),
  createdAt: created,
  packageIds: z.array(z.string()).describe('packages of the running subscriptions'),
  plans: z.array(subscriptionPlanSchema).describe('subscriptions with a planned start or end'),
});
export type Subscriber = z.infer<typeof subscriberSchema>;
/** Answer of `GET /subscribers`. */
export const subscriberListSchema = z.object({
  subscribers: z.array(subscriberSchema).describe('in the order of creation'),
  next,
});
/** Body of `POST /subscribers`. */
export const subscriberCreateSchema = z.strictObject({
  name: name.describe('name of the subscriber'),
  phoneCountryCode: countryCode.optional().describe('country calling code, digits'),
  phone: phone.optional().describe('number without the country code, digits; unique together with it'),
  customerNumber: customerNumber.optional().describe('number in the billing system; unique in the portal'),
  note: note.optional().describe('note of the operator'),
});
/** Body of `PUT /subscribers/{subscriberId}`: sets the given fields. */
export const subscriberWriteSchema = subscriberCreateSchema.partial();
/** Body of `POST /subscribers/login`. */
export const subscriberLoginSchema = z.strictObject({
  phoneCountryCode: countryCode.min(1).describe('country calling code, digits'),
  phone: phone.min(1).describe('number without the country code, digits'),
  name: name.optional().describe('name of a new subscriber; default: the number'),
});
/** Body of `POST /subscribers/{subscriberId}/disable`. */
export const subscriberDisableSchema = z.strictObject({
  reason: z.string().max(1000).optional().describe('reason of the block; recorded in the operation'),
});

const streams = z
  .array(z.string().min(1).max(200))
  .max(1000)
  .describe('names of streams, and prefixes that end with /');
const maxSessions = z.number().int().min(1).max(1000).nullable();

/** Package: streams that its subscribers may play. */
export const packageSchema = z.object({
  packageId: id('unique; the last part of its address'),
  name: text('name of the package'),
  isFree: flag('whether automatically created subscribers get it'),
  streams: z.array(z.string()).describe('names of streams, and prefixes that end with /'),
  maxSessions: integerOrNull('maximum number of concurrent sessions of a subscriber; null: no limit'),
  createdAt: created,
});
export type Package = z.infer<typeof packageSchema>;
/** Answer of `GET /packages`. */
export const packageListSchema = z.object({
  packages: z.array(packageSchema).describe('in the order of creation'),
  next,
});
/** Body of `POST /packages`. */
export const packageCreateSchema = z.strictObject({
  name: name.describe('name, unique in the portal'),
  isFree: optionalFlag('whether automatically created subscribers get it; default false'),
  streams: streams.optional(),
  maxSessions: maxSessions
    .optional()
    .describe('maximum number of concurrent sessions of a subscriber; default null: no limit'),
});
/** Body of `PUT /packages/{packageId}`: sets the given fields. */
export const packageWriteSchema = packageCreateSchema.partial();

/** Assignment of a package to a subscriber. */
export const subscriptionSchema = z.object({
  subscriberId: id('the subscriber'),
  packageId: id('the package'),
  createdAt: created,
  ...planFields,
});
export type Subscription = z.infer<typeof subscriptionSchema>;
/** Body of `PUT /subscribers/{subscriberId}/packages/{packageId}`: the planned period. */
export const subscriptionWriteSchema = z.strictObject({
  startsAt: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe('start of the subscription, in UTC; at once if it is null, absent or in the past'),
  endsAt: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe('end of the subscription, in UTC; null: no end; absent: a planned end stays'),
});
/** Answer of `GET /subscriptions`. */
export const subscriptionListSchema = z.object({
  subscriptions: z.array(subscriptionSchema).describe('in the order of creation'),
  next,
});
