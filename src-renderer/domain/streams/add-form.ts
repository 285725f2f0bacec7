import { CALLS } from '../../../src-preload/contract/index.ts';
import type { NewSetting } from '../settings/statements.ts';
import { readWebAddress } from './web-address.ts';
import type { WebKind } from './web-address.ts';
import type { CallInput, ErrorValue } from '../../../src-preload/contract/index.ts';
import { TEXTS } from './texts.ts';

/** Two sources of a stream: pull it from an address, or wait for an encoder that publishes it. */
export type AddSource = 'pull' | 'publish';

/** Values of the form. */
export interface AddForm {
  readonly source: AddSource;
  readonly name: string;
  readonly address: string;
  /** Kind of a web address as chosen by the operator; null to detect it. */
  readonly webKind: WebKind | null;
  /** All other settings. */
  readonly settings: readonly NewSetting[];
}

/** Fields of the form; `form` has errors that belong to no single field. */
export type AddField = 'name' | 'address' | 'form';

/** Error messages by field. */
export type FieldErrors = Partial<Record<AddField, string | undefined>>;

const PUBLISH_URL = 'publish://';

const FIELD_OF_KEY: Readonly<Record<string, AddField>> = { name: 'name', input_url: 'address' };

/** Converts the form into call input. */
export function toCallInput({ source, name, address, webKind, settings }: AddForm): CallInput<'streams.add'> {
  return {
    name: name.trim(),
    input_url: source === 'publish' ? PUBLISH_URL : (readWebAddress(address, webKind)?.url ?? address.trim()),
    ...(settings.length === 0 ? {} : { settings: [...settings] }),
  };
}

/** Checks the form with the schema of the call; returns an empty object if it is valid. */
export function checkForm(form: AddForm): FieldErrors {
  const errors: FieldErrors = {};
  const address = form.address.trim();
  if (form.name.trim() === '') errors.name = TEXTS.needsName;
  if (form.source === 'pull' && address === '') errors.address = TEXTS.needsAddress;
  else if (form.source === 'pull' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    errors.address = TEXTS.needsProtocol;
  }
  const read = CALLS['streams.add'].input.safeParse(toCallInput(form));
  for (const issue of read.error?.issues ?? []) {
    const field = FIELD_OF_KEY[String(issue.path[0])] ?? 'form';
    errors[field] ??= TEXTS.badFields[field];
  }
  return errors;
}

const FIELD_OF_CODE: Partial<Record<ErrorValue['code'], AddField>> = {
  stream_exists: 'name',
  bad_stream_name: 'name',
  bad_input_url: 'address',
  input_not_supported: 'address',
  input_file_not_found: 'address',
  input_unreachable: 'address',
};

/** Field beside which an error of the server is shown. */
export function fieldOfError(error: ErrorValue, source: AddSource): AddField {
  const field = FIELD_OF_CODE[error.code] ?? 'form';
  return field === 'address' && source === 'publish' ? 'form' : field;
}

/** Suggests a name from an address: its last part without an extension. Empty if there is none. */
export function suggestName(address: string): string {
  const path = address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[?#].*$/, '');
  const parts = path
    .split('/')
    .filter((part) => part !== '' && !/^(index|playlist|chunklist|manifest|mpegts|video)(\.|$)/i.test(part));
  const last = (parts.at(-1) ?? '')
    .replace(/:\d+$/, (port) => `-${port.slice(1)}`)
    .replace(/\.(m3u8|mpd|ts|mp4|flv|mkv|mov)$/i, '');
  return last
    .replace(/[^\p{L}\p{N}._~@+-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+/u, '')
    .slice(0, 60);
}
