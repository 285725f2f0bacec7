import { arg, flagOption, option, otherOptions, partly, type FieldValues } from './record.ts';
import {
  backendSchema,
  isNoScript,
  playBackendSchema,
  choiceSchema,
  commaListSchema,
  countrySchema,
} from './storage-values.ts';
import { integerSchema, textSchema } from './value-schema.ts';

const countries = commaListSchema(countrySchema, 'countries by two letters');

/** What a directive says that has a backend decide about publishers: `on_publish`. */
export const PUBLISH_FIELDS = {
  url: partly(arg(backendSchema), isNoScript),
  maxSessions: option('max_sessions', integerSchema(0, 1_000_000)),
  isLimitationSoft: flagOption('soft_limitation'),
  domains: option('domains', commaListSchema(textSchema(253), 'hosts')),
  allowedCountries: option('allowed_countries', countries),
  disallowedCountries: option('disallowed_countries', countries),
  sessionKeys: option(
    'session_keys',
    commaListSchema(choiceSchema(['name', 'ip', 'proto', 'token']), 'any of name, ip, proto and token'),
  ),
  extra: otherOptions('extra'),
};

/** What a directive says that has a backend decide about viewers: `on_play`, `auth`. */
export const SESSION_FIELDS = { ...PUBLISH_FIELDS, url: partly(arg(playBackendSchema), isNoScript) };

/** Backends that decide about sessions, and limits. */
export type SessionBackend = FieldValues<typeof SESSION_FIELDS>;
