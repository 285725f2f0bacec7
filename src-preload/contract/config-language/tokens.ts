import { ExternalTokenizer, type InputStream } from '@lezer/lr';
import { continuesKey, endsWord, isDigit, startsKey, startsWord } from './characters.ts';
import {
  EmptyOptionKey,
  MissingClose,
  MissingEnd,
  Name,
  Number as NumberTerm,
  OptionKey,
  Text,
  UnclosedText,
  Url,
  Word,
} from './parser.terms.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;
const COLON = 0x3a;
const SLASH = 0x2f;
const CLOSE = 0x7d;
const LF = 0x0a;
const CR = 0x0d;

/** Zero-length tokens in place of a missing `;` or `}`, so that the tree is complete without it. */
export const ends = new ExternalTokenizer(
  (input, stack) => {
    if (input.next !== CLOSE && input.next >= 0) return;
    if (stack.canShift(MissingEnd)) input.acceptToken(MissingEnd);
    else if (input.next < 0 && stack.canShift(MissingClose)) input.acceptToken(MissingClose);
  },
  { contextual: true },
);

/** Quoted text. It ends at the end of its line, so that a missing quotation mark does not affect the rest of the file. */
export const texts = new ExternalTokenizer((input) => {
  if (input.next !== QUOTE) return;
  input.advance();
  for (;;) {
    if (input.next === QUOTE) {
      input.advance();
      input.acceptToken(Text);
      return;
    }
    if (input.next === BACKSLASH) input.advance();
    if (input.next < 0 || input.next === LF || input.next === CR) {
      input.acceptToken(UnclosedText);
      return;
    }
    input.advance();
  }
});

/** Name of a directive: the first word of a statement, with any characters. */
export const names = new ExternalTokenizer((input) => {
  if (!startsWord(input.next)) return;
  skipWord(input);
  input.acceptToken(Name);
});

/** Unquoted argument with its apparent kind, or `key=` if its value follows immediately. */
export const words = new ExternalTokenizer((input) => {
  // A word directly after `=` is the value of that option: `color=#fff` and `q=a=b` have one value each.
  const isValue = input.peek(-1) === EQUALS;
  if (isValue ? input.next === QUOTE || endsWord(input.next) : !startsWord(input.next)) return;
  if (startsKey(input.next) && !isValue) readKeyOrWord(input);
  else if (isDigit(input.next)) readNumberOrWord(input);
  else readWord(input);
});

function readKeyOrWord(input: InputStream): void {
  while (continuesKey(input.next)) input.advance();
  if (input.next === EQUALS) {
    input.advance();
    input.acceptToken(endsWord(input.next) ? EmptyOptionKey : OptionKey);
    return;
  }
  readWord(input);
}

/** Reads a number: digits, an optional fraction and an optional unit of up to three letters or `%`; otherwise a word. */
function readNumberOrWord(input: InputStream): void {
  while (isDigit(input.next)) input.advance();
  if (input.next === 0x2e && isDigit(input.peek(1))) {
    input.advance();
    while (isDigit(input.next)) input.advance();
  }
  if (input.next === 0x25) input.advance();
  else for (let letters = 0; letters < 3 && startsKey(input.next); letters++) input.advance();
  if (endsWord(input.next)) input.acceptToken(NumberTerm);
  else readWord(input);
}

function readWord(input: InputStream): void {
  let isUrl = false;
  while (!endsWord(input.next)) {
    if (input.next === COLON && !isUrl) isUrl = input.peek(1) === SLASH && input.peek(2) === SLASH;
    input.advance();
  }
  input.acceptToken(isUrl ? Url : Word);
}

function skipWord(input: InputStream): void {
  while (!endsWord(input.next)) input.advance();
}
