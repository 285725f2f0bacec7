import { CALLS } from '../../../src-preload/contract/index.ts';
import { readWebAddress } from './web-address.ts';
import type { WebKind } from './web-address.ts';
import type { CallInput, ErrorValue } from '../../../src-preload/contract/index.ts';
import { TEXTS } from './texts.ts';

/** The two ways to get a stream: fetch it from an address, or wait until an encoder sends it. */
export type AddWay = 'pull' | 'publish';

/** What the operator typed into the form. */
export interface AddForm {
  readonly way: AddWay;
  readonly name: string;
  readonly title: string;
  readonly address: string;
  /** What an address of the web is said to be; null: what it looks like. */
  readonly webKind: WebKind | null;
  readonly password: string;
}

/** The fields of the form; `form` stands for what belongs to none of them. */
export type AddField = 'name' | 'title' | 'address' | 'password' | 'form';

/** What is wrong, beside the field it concerns. */
export type FieldErrors = Partial<Record<AddField, string | undefined>>;

const PUBLISH_URL = 'publish://';

const FIELD_OF_KEY: Readonly<Record<string, AddField>> = {
  name: 'name',
  title: 'title',
  input_url: 'address',
  password: 'password',
};

/** The call that the form stands for. */
export function toCallInput(form: AddForm): CallInput<'streams.add'> {
  const title = form.title.trim();
  const isPublish = form.way === 'publish';
  return {
    name: form.name.trim(),
    input_url: isPublish ? PUBLISH_URL : (readWebAddress(form.address, form.webKind)?.url ?? form.address.trim()),
    ...(title === '' ? {} : { title }),
    ...(isPublish && form.password !== '' ? { password: form.password } : {}),
  };
}

/** Checks the form with the schema of the call; no keys when all is well. */
export function checkForm(form: AddForm): FieldErrors {
  const errors: FieldErrors = {};
  const address = form.address.trim();
  if (form.name.trim() === '') errors.name = TEXTS.needsName;
  if (form.way === 'pull' && address === '') errors.address = TEXTS.needsAddress;
  else if (form.way === 'pull' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
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

/** The field beside which an error of the server is shown. */
export function fieldOfError(error: ErrorValue, way: AddWay): AddField {
  const field = FIELD_OF_CODE[error.code] ?? 'form';
  return field === 'address' && way === 'publish' ? 'form' : field;
}

/** A name that an address suggests: its last part without an ending. Empty when there is nothing to take. */
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
