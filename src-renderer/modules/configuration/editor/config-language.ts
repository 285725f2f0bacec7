import {
  foldInside,
  foldNodeProp,
  HighlightStyle,
  indentNodeProp,
  LanguageSupport,
  LRLanguage,
  syntaxHighlighting,
  delimitedIndent,
} from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';
import { parser } from '../../../../src-preload/contract/config-language/parser.ts';

/** Configuration language with the grammar of the server. */
const configLanguage = LRLanguage.define({
  name: 'configuration',
  parser: parser.configure({
    props: [
      styleTags({
        Name: tags.keyword,
        'OptionKey EmptyOptionKey': tags.propertyName,
        'Text UnclosedText': tags.string,
        Number: tags.number,
        Url: tags.url,
        Word: tags.atom,
        Comment: tags.lineComment,
        '{ } ;': tags.punctuation,
        StrayClose: tags.invalid,
      }),
      foldNodeProp.add({ Block: foldInside }),
      indentNodeProp.add({ Block: delimitedIndent({ closing: '}' }) }),
    ],
  }),
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['{', '"'] } },
});

/** Syntax colours on the dark background of the desk; contrast at least 4.5 : 1. */
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-word)' },
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.url, color: 'var(--code-url)' },
  { tag: tags.lineComment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--ink-dim)' },
  { tag: tags.invalid, color: 'var(--lost-ink)' },
]);

/** Configuration language with syntax highlighting. */
export const configSupport = new LanguageSupport(configLanguage, syntaxHighlighting(COLOURS));
