import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { arg, flagOption, option, otherOptions, partly, type FieldValues } from './record.ts';
import {
  backendSchema,
  isSupportedBackend,
  playBackendSchema,
  choiceSchema,
  commaListSchema,
  countrySchema,
} from './storage-values.ts';
import { integerSchema, textSchema } from './value-schema.ts';

const countries = commaListSchema(countrySchema, because('value_countries'));

/** Fields of a directive with a backend for publishers: `on_publish`. */
export const PUBLISH_FIELDS = {
  url: partly(arg(backendSchema), isSupportedBackend),
  maxSessions: option('max_sessions', integerSchema(0, 1_000_000)),
  isLimitationSoft: flagOption('soft_limitation'),
  domains: option('domains', commaListSchema(textSchema(253), because('value_hosts'))),
  allowedCountries: option('allowed_countries', countries),
  disallowedCountries: option('disallowed_countries', countries),
  sessionKeys: option(
    'session_keys',
    commaListSchema(choiceSchema(['name', 'ip', 'proto', 'token']), because('value_session_keys')),
  ),
  extra: otherOptions('extra'),
};

/** Fields of a directive with a backend for viewers: `on_play`, `auth`. */
export const SESSION_FIELDS = { ...PUBLISH_FIELDS, url: partly(arg(playBackendSchema), isSupportedBackend) };

/** Authorization backends of sessions, and limits. */
export type SessionBackend = FieldValues<typeof SESSION_FIELDS>;
