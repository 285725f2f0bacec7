import type { AttributeList } from './attribute-list.ts';
import { MAX_LINE_CHARACTERS, ownCopy } from './playlist-lines.ts';

/** Maximum number of variables of a playlist. */
const MAX_VARIABLES = 256;

/** Maximum characters inserted by all replacements of one playlist; further references stay unchanged. */
export const MAX_REPLACED_CHARACTERS = 1 << 20;

const NAME = /^[A-Za-z0-9_-]+$/;

/** External sources of variable values. */
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
  #charactersLeft = MAX_REPLACED_CHARACTERS;

  constructor(origins: VariableOrigins = {}) {
    this.#origins = origins;
  }

  /** Processes one EXT-X-DEFINE tag. */
  define(attributes: AttributeList): void {
    if (this.values.size >= MAX_VARIABLES) return;
    const name = attributes.text('NAME');
    const imported = attributes.text('IMPORT');
    const parameter = attributes.text('QUERYPARAM');
    if (name !== undefined) this.#set(name, attributes.text('VALUE') ?? '');
    else if (imported !== undefined) this.#set(imported, this.#origins.imports?.get(imported));
    else if (parameter !== undefined) this.#set(parameter, this.#origins.query?.get(parameter) ?? undefined);
  }

  /** Line with its references replaced; references to undefined variables stay. */
  replace(text: string): string {
    if (this.values.size === 0) return text;
    let replaced = '';
    let copied = 0;
    let open = text.indexOf('{$');
    while (open >= 0 && replaced.length < MAX_LINE_CHARACTERS) {
      const close = text.indexOf('}', open);
      if (close < 0) break;
      // Names contain no brace, so only the last `{$` before a `}` can start a reference.
      open = text.lastIndexOf('{$', close);
      const value = this.#take(text.slice(open + 2, close));
      if (value !== undefined) {
        replaced += text.slice(copied, open) + value;
        copied = close + 1;
      }
      open = text.indexOf('{$', close);
    }
    if (copied === 0) return text;
    return (replaced + text.slice(copied)).slice(0, MAX_LINE_CHARACTERS);
  }

  #take(name: string): string | undefined {
    const value = NAME.test(name) ? this.values.get(name) : undefined;
    if (value === undefined || value.length > this.#charactersLeft) return undefined;
    this.#charactersLeft -= value.length;
    return value;
  }

  #set(name: string, value: string | undefined): void {
    if (value !== undefined) this.values.set(ownCopy(name), ownCopy(value.slice(0, MAX_LINE_CHARACTERS)));
  }
}
