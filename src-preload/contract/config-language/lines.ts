import { LINE_BREAK } from './characters.ts';

/** A place in a text as people count it: both from 1, columns in UTF-16 code units as editors count them. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the lines of a text begin; turns offsets into lines and columns. */
export class LineTable {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    if (!text.includes('\r')) {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
      return;
    }
    for (const match of text.matchAll(LINE_BREAK)) this.#starts.push(match.index + match[0].length);
  }

  /** Number of lines; a text that ends with a line break has an empty last line. */
  get count(): number {
    return this.#starts.length;
  }

  /** The line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Offset of the first character of a line counted from 1; the length of the text is not known here, so lines past the end give undefined. */
  startOf(line: number): number | undefined {
    return this.#starts[line - 1];
  }

  /** Line and column of an offset. */
  placeAt(offset: number): Place {
    const line = this.lineAt(offset);
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }
}
