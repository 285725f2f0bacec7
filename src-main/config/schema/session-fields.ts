import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { arg, described, flagOption, option, otherOptions, partly, type FieldValues } from './record.ts';
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

const URL = 'URL of the backend, its name (auth://name), or false for none';

/** Fields of a directive with a backend for publishers: `on_publish`. */
export const PUBLISH_FIELDS = {
  url: partly(described(arg(backendSchema), URL), isSupportedBackend),
  maxSessions: option(
    'max_sessions',
    integerSchema(0, 1_000_000),
    'maximum number of concurrent sessions of a user; default: no limit',
  ),
  isLimitationSoft: described(
    flagOption('soft_limitation'),
    'whether sessions over the limit are closed after 75 seconds and not at once; default false',
  ),
  domains: option(
    'domains',
    commaListSchema(textSchema(253), because('value_hosts')),
    'hosts whose pages may embed the player; default: all',
  ),
  allowedCountries: option(
    'allowed_countries',
    countries,
    'two-letter codes of the only countries that may play; default: all',
  ),
  disallowedCountries: option('disallowed_countries', countries, 'two-letter codes of countries that may not play'),
  sessionKeys: option(
    'session_keys',
    commaListSchema(choiceSchema(['name', 'ip', 'proto', 'token']), because('value_session_keys')),
    'fields that identify a session: any of name, ip, proto and token; default: all of them',
  ),
  extra: described(otherOptions('extra'), 'additional parameters sent to the backend'),
};

/** Fields of a directive with a backend for viewers: `on_play`, `auth`. */
export const SESSION_FIELDS = {
  ...PUBLISH_FIELDS,
  url: partly(described(arg(playBackendSchema), URL), isSupportedBackend),
};

/** Authorization backends of sessions, and limits. */
export type SessionBackend = FieldValues<typeof SESSION_FIELDS>;
