type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** An OpenAPI 3.1 document, or a part of one. */
export type ApiDocument = Fields;

/** Change that breaks clients of the previous document. */
export interface Break {
  /** Operation, such as `GET /streams`. */
  readonly operation: string;
  /** Place in the operation: a response, a parameter, a property. */
  readonly location: string;
  readonly reason: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Maximum compared depth; schemas of the document are not deeper, except for cycles. */
const MAX_DEPTH = 24;

/** Breaking changes of a document: one for each operation, place and reason. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): readonly Break[] {
  const found: Break[] = [];
  const pathsAfter = objectAt(after, 'paths');
  for (const [path, item] of Object.entries(objectAt(before, 'paths'))) {
    for (const method of METHODS) {
      const old = fields(fields(item)[method]);
      if (old === NONE || old['x-private'] === true) continue;
      const operation = `${method.toUpperCase()} ${path}`;
      const now = fields(fields(pathsAfter[path])[method]);
      const report = (location: string, reason: string): void => void found.push({ operation, location, reason });
      if (now === NONE) report('', pathsAfter[path] === undefined ? 'the path is gone' : 'the method is gone');
      else compareOperations(new Comparison(before, after, report), fields(old), fields(now));
    }
  }
  return found;
}

/** Breaking change as one line. */
export function describeBreak({ operation, location, reason }: Break): string {
  return [operation, location, reason].filter((part) => part !== '').join(': ');
}

const NONE: Fields = {};

function fields(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;
}

function objectAt(value: Fields, key: string): Fields {
  return fields(value[key]);
}

function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Direction of a schema: the values of schemas that clients read may become fewer, the values of schemas that clients
 * write may become more.
 */
type Way = 'read' | 'write';

function compareOperations(both: Comparison, before: Fields, after: Fields): void {
  if (before['operationId'] !== after['operationId']) both.report('operationId', 'is another one');
  compareParameters(both, before, after);
  const [bodyBefore, bodyAfter] = [both.old(before['requestBody']), both.now(after['requestBody'])];
  if (bodyAfter['required'] === true && bodyBefore['required'] !== true) both.report('body', 'is required now');
  if (bodyBefore !== NONE && bodyAfter === NONE) both.report('body', 'is no longer accepted');
  else compareContents(both, 'body', bodyBefore, bodyAfter, 'write');
  const [repliesBefore, repliesAfter] = [objectAt(before, 'responses'), objectAt(after, 'responses')];
  for (const [status, reply] of Object.entries(repliesBefore)) {
    if (repliesAfter[status] === undefined) {
      // Removing errors does not break clients.
      if (Number(status) < 400) both.report(`response ${status}`, 'is gone');
    } else if (Number(status) < 400)
      compareContents(both, `response ${status}`, both.old(reply), both.now(repliesAfter[status]), 'read');
  }
}

function compareParameters(both: Comparison, before: Fields, after: Fields): void {
  const keyed = (all: Json | undefined, read: (value: Json) => Fields): Map<string, Fields> =>
    new Map(items(all).map((one) => [`${text(read(one)['in'])} ${text(read(one)['name'])}`, read(one)]));
  const old = keyed(before['parameters'], (one) => both.old(one));
  const now = keyed(after['parameters'], (one) => both.now(one));
  for (const [key, parameter] of old) {
    const other = now.get(key);
    if (!other) both.report(`parameter ${key}`, 'is gone');
    else {
      if (other['required'] === true && parameter['required'] !== true)
        both.report(`parameter ${key}`, 'is required now');
      both.schemas(`parameter ${key}`, parameter['schema'], other['schema'], 'write', 0);
    }
  }
  for (const [key, parameter] of now)
    if (parameter['required'] === true && !old.has(key)) both.report(`parameter ${key}`, 'is new and required');
}

function compareContents(both: Comparison, location: string, before: Fields, after: Fields, way: Way): void {
  const [old, now] = [objectAt(before, 'content'), objectAt(after, 'content')];
  for (const [type, media] of Object.entries(old)) {
    if (now[type] === undefined) both.report(location, `${type} is gone`);
    else both.schemas(location, fields(media)['schema'], fields(now[type])['schema'], way, 0);
  }
}

/** Compares the schemas of two documents. */
class Comparison {
  readonly report: (location: string, reason: string) => void;
  readonly #before: ApiDocument;
  readonly #after: ApiDocument;

  constructor(before: ApiDocument, after: ApiDocument, report: (location: string, reason: string) => void) {
    this.#before = before;
    this.#after = after;
    this.report = report;
  }

  old(value: Json | undefined): Fields {
    return resolved(this.#before, value);
  }

  now(value: Json | undefined): Fields {
    return resolved(this.#after, value);
  }

  schemas(location: string, before: Json | undefined, after: Json | undefined, way: Way, depth: number): void {
    const [old, now] = [this.old(before), this.now(after)];
    if (depth > MAX_DEPTH || old['x-private'] === true) return;
    if (hasAlternatives(old) || hasAlternatives(now)) {
      this.#alternatives(location, old, now, way, depth);
      return;
    }
    this.#types(location, old, now, way);
    this.#properties(location, old, now, way, depth);
    if (old['items'] !== undefined && now['items'] !== undefined)
      this.schemas(`${location}[]`, old['items'], now['items'], way, depth + 1);
    const [oldMap, nowMap] = [old['additionalProperties'], now['additionalProperties']];
    if (typeof oldMap === 'object' && typeof nowMap === 'object')
      this.schemas(`${location}.*`, oldMap, nowMap, way, depth + 1);
    if (way === 'write' && oldMap !== false && nowMap === false)
      this.report(location, 'takes no other properties any more');
  }

  /**
   * Types in replies must be among the previous types, and types in requests must still be accepted. New values of an
   * enumeration in replies are allowed, because clients expect them.
   */
  #types(location: string, before: Fields, after: Fields, way: Way): void {
    for (const [what, old, now] of [
      ['type', typesOf(before), typesOf(after)],
      ['value', valuesOf(before), valuesOf(after)],
    ] as const) {
      const [wide, narrow] = way === 'read' ? [old, now] : [now, old];
      if (wide === undefined || (what === 'value' && way === 'read')) continue;
      if (narrow === undefined)
        this.report(location, `${what}s are ${way === 'read' ? 'not bounded any more' : 'bounded now'}`);
      for (const one of narrow ?? [])
        if (!wide.includes(one))
          this.report(location, `${what} ${one} ${way === 'read' ? 'is new' : 'is no longer accepted'}`);
    }
  }

  #properties(location: string, before: Fields, after: Fields, way: Way, depth: number): void {
    const [old, now] = [objectAt(before, 'properties'), objectAt(after, 'properties')];
    const [requiredBefore, requiredAfter] = [items(before['required']), items(after['required'])];
    for (const [name, schema] of Object.entries(old)) {
      const at = `${location}.${name}`;
      if (now[name] === undefined) {
        if (this.old(schema)['x-private'] !== true) this.report(at, 'is gone');
      } else {
        if (way === 'read' && requiredBefore.includes(name) && !requiredAfter.includes(name))
          this.report(at, 'may be missing now');
        this.schemas(at, schema, now[name], way, depth + 1);
      }
    }
    if (way === 'write')
      for (const name of requiredAfter.map(text))
        if (!requiredBefore.includes(name))
          this.report(`${location}.${name}`, old[name] === undefined ? 'is new and required' : 'is required now');
  }

  /** Alternatives correspond by type, otherwise by position. */
  #alternatives(location: string, before: Fields, after: Fields, way: Way, depth: number): void {
    const [old, now] = [alternatives(before), alternatives(after)];
    const matched = new Set<number>();
    for (const one of old) {
      const key = this.#kindOf(this.old(one));
      const index = now.findIndex((candidate, at) => !matched.has(at) && this.#kindOf(this.now(candidate)) === key);
      if (index >= 0) {
        matched.add(index);
        this.schemas(location, one, now[index], way, depth + 1);
      } else if (way === 'write') this.report(location, `the alternative ${key} is no longer accepted`);
    }
    if (way === 'read')
      for (const [index, one] of now.entries())
        if (!matched.has(index)) this.report(location, `the alternative ${this.#kindOf(this.now(one))} is new`);
  }

  #kindOf(schema: Fields): string {
    if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
    const type = schema['type'];
    return typeof type === 'string' ? type : 'any';
  }
}

function hasAlternatives(schema: Fields): boolean {
  return Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']);
}

/** A schema without alternatives counts as its only alternative. */
function alternatives(schema: Fields): readonly Json[] {
  return hasAlternatives(schema) ? [...items(schema['anyOf']), ...items(schema['oneOf'])] : [schema];
}

/** Types that a schema states itself; undefined if none. Integers count as numbers. */
function typesOf({ type }: Fields): readonly string[] | undefined {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : undefined;
  return types?.includes('number') ? [...types, 'integer'] : types;
}

/** Values that a schema allows, as JSON; undefined if all. */
function valuesOf(schema: Fields): readonly string[] | undefined {
  if (schema['const'] !== undefined) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? items(schema['enum']).map((value) => JSON.stringify(value)) : undefined;
}

function resolved(document: ApiDocument, value: Json | undefined): Fields {
  let at = fields(value);
  for (let steps = 0; typeof at['$ref'] === 'string' && steps < MAX_DEPTH; steps++) {
    let target: Json | undefined = document;
    for (const part of at['$ref'].replace(/^#\//, '').split('/'))
      target = fields(target)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    at = fields(target);
  }
  return at;
}

/** Keys without effect on clients. */
const WORDS: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'examples', 'tags', 'title', 'info']);

/** Document without its texts, small enough to store. */
export function compactDocument(document: ApiDocument): ApiDocument {
  return fields(withoutWords(document, false));
}

/** @param isNames whether the keys of an object are names of the API, not of OpenAPI */
function withoutWords(value: Json, isNames: boolean): Json {
  if (Array.isArray(value)) return value.map((one: Json) => withoutWords(one, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Fields)
      .filter(([key]) => isNames || !WORDS.has(key))
      .map(([key, part]): [string, Json] => [key, withoutWords(part, !isNames && NAMED.has(key))]),
  );
}

/** OpenAPI keys whose children are names of the API. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'paths', 'schemas', 'responses', 'content']);
