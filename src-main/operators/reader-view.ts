import { ERRORS, isErrorCode } from '../../src-preload/contract/errors.ts';
import { MASK } from '../config/schema/secrets.ts';
import { readerAddress, readerText, type AddressPart } from './reader-address.ts';
import { ADDRESS_FIELDS, HIDDEN_FIELDS, INPUT_FIELDS, OUTGOING_FIELDS, READABLE_FIELDS } from './reader-fields.ts';

/** Fields that contain a code, or a message about a mistake in the configuration. */
const CODE_FIELDS: ReadonlySet<string> = new Set(['error', 'config_error', 'source_error', 'code']);
/** Pattern of a code of Airdesk, or of a system code such as `ENOSPC`. */
const CODE = /^(?:[a-z][a-z0-9_]{0,63}|E[A-Z0-9]{2,30})$/;

/**
 * Value as shown to callers with read access only. Numbers and booleans are unchanged, texts are shown in fields that
 * hold no secret, addresses lose their secret parts, and everything else is masked.
 *
 * @param field name of the field with the value
 */
export function readerView<T>(value: T, field = ''): T {
  // The type stays the same: objects keep their fields, and texts stay texts.
  return viewOf(value, field, partOf(field, 'path'), false) as T;
}

/**
 * Value as shown on the desk to a person without write access, whose role allows the operation: texts and messages are shown, and
 * addresses lose their secret parts. The values of these operations contain no other secrets.
 */
export function personView<T>(value: T, field = ''): T {
  return viewOf(value, field, partOf(field, 'path'), true) as T;
}

/** View of a value at the path of its field. */
export function readerValue(value: unknown, path: readonly string[], root = ''): unknown {
  const names = path.filter((name) => !/^\d+$/.test(name));
  if (names.some((name) => HIDDEN_FIELDS.has(name))) return null;
  const part = [root, ...names].reduce<AddressPart>((outer, name) => partOf(name, outer), 'path');
  return viewOf(value, names.at(-1) ?? root, part, false);
}

/** Whether texts of a field may be searched without write access. */
export function isReadable(field: string): boolean {
  return READABLE_FIELDS.has(field) || ADDRESS_FIELDS.has(field);
}

/** @param isPerson whether texts that are in no list, and messages, are shown without secret parts of their addresses */
function viewOf(value: unknown, field: string, part: AddressPart, isPerson: boolean): unknown {
  if (typeof value === 'string') return textOf(value, field, part, isPerson);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return field === 'options' ? optionsOf(value) : value.map((item) => viewOf(item, field, part, isPerson));
  return objectOf(value as Readonly<Record<string, unknown>>, field, part, isPerson);
}

function objectOf(
  object: Readonly<Record<string, unknown>>,
  field: string,
  part: AddressPart,
  isPerson: boolean,
): unknown {
  const view: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const known = knownName(name, field);
    view[name] = isHidden(name, isPerson)
      ? null
      : !isPerson && (name === 'detail' || name === 'message') && typeof value === 'string'
        ? meaningOf(object['code'])
        : viewOf(value, known, partOf(known, part), isPerson);
  }
  return view;
}

function isHidden(name: string, isPerson: boolean): boolean {
  return HIDDEN_FIELDS.has(name) && !(isPerson && name === 'explanation');
}

/**
 * Name of a field for the tables. Labels have arbitrary names, an input option may have the name of another field, and the
 * legacy API calls an address `value`.
 */
function knownName(name: string, field: string): string {
  if (field === 'inputs' && !INPUT_FIELDS.has(name)) return '';
  return field === 'labels' || field === 'text_alerts' || (field === 'urls' && name === 'value') ? field : name;
}

function textOf(text: string, field: string, part: AddressPart, isPerson: boolean): string {
  if (text === '') return text;
  // An address of this server: its last segment is the name of the stream.
  if (field === 'publish_urls') return text;
  if (ADDRESS_FIELDS.has(field)) return text.includes('://') ? readerAddress(text, part) : withoutQuery(text);
  if (CODE_FIELDS.has(field) && !CODE.test(text)) return ERRORS.config_syntax.title;
  return isPerson || READABLE_FIELDS.has(field) ? readerText(text) : MASK;
}

/** Title of an error code. The message itself may contain text of other parties. */
function meaningOf(code: unknown): string {
  return typeof code === 'string' && isErrorCode(code) ? ERRORS[code].title : MASK;
}

/** View of options, which the legacy API lists as pairs of name and value. */
function optionsOf(pairs: readonly unknown[]): unknown {
  return pairs.map((pair) => {
    const [name, value] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    return typeof name === 'string' ? [name, viewOf(value, INPUT_FIELDS.has(name) ? name : '', 'path', false)] : MASK;
  });
}

function partOf(field: string, outer: AddressPart): AddressPart {
  return OUTGOING_FIELDS.has(field) ? 'host' : outer;
}

function withoutQuery(path: string): string {
  const end = path.search(/[?#;]/);
  return end < 0 ? path : path.slice(0, end);
}
