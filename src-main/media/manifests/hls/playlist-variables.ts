import type { AttributeList } from './attribute-list.ts';

/** Variables that one playlist may define. */
const MOST_VARIABLES = 256;

/** Longest text that a replacement may make of one line. */
const MOST_CHARACTERS = 16_384;

/** Where the values of variables come from that a playlist does not state itself. */
export interface VariableOrigins {
  /** Query of the address of the playlist, for QUERYPARAM. */
  readonly query?: URLSearchParams;
  /** Variables of the multivariant playlist, for IMPORT. */
  readonly imports?: ReadonlyMap<string, string>;
}

/** Variables of a playlist (EXT-X-DEFINE, RFC 8216bis 4.4.2.3), and their substitution (4.3). */
export class PlaylistVariables {
  readonly values = new Map<string, string>();
  readonly #origins: VariableOrigins;

  constructor(origins: VariableOrigins = {}) {
    this.#origins = origins;
  }

  /** Takes one EXT-X-DEFINE tag. */
  define(attributes: AttributeList): void {
    if (this.values.size >= MOST_VARIABLES) return;
    const name = attributes.text('NAME');
    const imported = attributes.text('IMPORT');
    const parameter = attributes.text('QUERYPARAM');
    if (name !== undefined) this.#set(name, attributes.text('VALUE') ?? '');
    else if (imported !== undefined) this.#set(imported, this.#origins.imports?.get(imported));
    else if (parameter !== undefined) this.#set(parameter, this.#origins.query?.get(parameter) ?? undefined);
  }

  /** A line with its references replaced; references to what is not defined stay. */
  replace(text: string): string {
    if (this.values.size === 0 || !text.includes('{$')) return text;
    return text
      .replace(/\{\$([A-Za-z0-9_-]+)\}/g, (reference, name: string) => this.values.get(name) ?? reference)
      .slice(0, MOST_CHARACTERS);
  }

  #set(name: string, value: string | undefined): void {
    if (value !== undefined) this.values.set(name, value);
  }
}
