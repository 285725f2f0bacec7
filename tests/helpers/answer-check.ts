import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  /** All errors refer to one common body. */
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}

/** Statuses that any address may return: method not allowed, and limits of the server. */
const UNNAMED: ReadonlySet<number> = new Set([405, 406, 414, 417, 431]);

/**
 * Compares replies with an OpenAPI document: the status and type must be documented, and the schema must allow the
 * body.
 */
export class AnswerCheck {
  readonly document: Readonly<Record<string, unknown>>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #paths: readonly {
    readonly template: string;
    readonly pattern: RegExp;
    readonly operations: Readonly<Record<string, Operation>>;
  }[];
  readonly #validators = new Map<string, ValidateFunction>();

  /**
   * Check for a document as JSON. Servers with the same document share it, because compiling the schemas takes long.
   */
  static of(text: string): AnswerCheck {
    const cached = checks.get(text);
    if (cached) return cached;
    // Any JSON object is accepted; a wrong document fails below.
    const check = new AnswerCheck(JSON.parse(text) as Readonly<Record<string, unknown>>);
    checks.set(text, check);
    return check;
  }

  private constructor(document: Readonly<Record<string, unknown>>) {
    this.document = document;
    this.#ajv.addSchema(document, 'document');
    const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    this.#paths = Object.entries(paths)
      .map(([template, operations]) => ({
        template,
        operations,
        pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      }))
      // Fixed paths take precedence over parameters.
      .sort((a, b) => fixed(b) - fixed(a));
  }

  /** Throws on a mismatch. @param path below the prefix of the document, with its query */
  verify(method: string, path: string, status: number, contentType: string | null, body: unknown): void {
    const what = `${method} ${path} → ${status}`;
    const plain = path.split('?')[0] ?? '';
    const found = this.#paths.find(({ pattern }) => pattern.test(plain));
    if (status >= 500 && status !== 503) throw new Error(`${what}: ${JSON.stringify(body)}`);
    const operation = found?.operations[method.toLowerCase()];
    const named = operation?.responses[String(status)];
    const documented = named?.$ref === undefined ? named : undefined;
    if (operation && !named && status >= 400 && !UNNAMED.has(status))
      throw new Error(`${what}: this error is not in the document`);
    if (!documented && status < 400) throw new Error(`${what}: this status is not in the document`);
    const type = contentType?.split(';')[0] ?? '';
    const content = documented ? documented.content : { 'application/json': {} };
    if (!content) {
      if (body !== '') throw new Error(`${what}: there should be no body`);
      return;
    }
    if (!Object.hasOwn(content, type)) throw new Error(`${what}: the type ${type} is not in the document`);
    if (type !== 'application/json') return;
    const pointer =
      documented && found
        ? `/paths/${escape(found.template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
        : '/components/schemas/error';
    const validate = this.#validator(pointer);
    if (!validate(body))
      throw new Error(
        `${what} does not fit its schema: ${this.#ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
      );
  }

  /** Addresses with a tag that are not in a set of paths. */
  untried(tag: string, paths: ReadonlySet<string>): readonly string[] {
    const tried = new Set([...paths].map((path) => this.#paths.find(({ pattern }) => pattern.test(path))?.template));
    return this.#paths
      .filter(({ operations }) => operations['get']?.tags?.includes(tag) === true)
      .map(({ template }) => template)
      .filter((template) => !tried.has(template));
  }

  #validator(pointer: string): ValidateFunction {
    const cached = this.#validators.get(pointer);
    if (cached) return cached;
    const validator = this.#ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    this.#validators.set(pointer, validator);
    return validator;
  }
}

const checks = new Map<string, AnswerCheck>();

/** Number of characters of an address outside parameters. */
function fixed({ template }: { readonly template: string }): number {
  return template.replace(/\{\w+\}/g, '').length;
}

function escape(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}
