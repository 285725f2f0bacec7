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

/** The language of the configuration, with the grammar that the server has. */
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

/** Colours on the dark ground of the desk; contrast 4.5 : 1 at least. */
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: '#7dbdff' },
  { tag: tags.propertyName, color: '#d7b3ff' },
  { tag: tags.string, color: '#8fdc8f' },
  { tag: tags.number, color: '#ffc46b' },
  { tag: tags.url, color: '#79dede' },
  { tag: tags.lineComment, color: '#93a1ae', fontStyle: 'italic' },
  { tag: tags.punctuation, color: '#a9b5c0' },
  { tag: tags.invalid, color: '#ff9092' },
]);

/** The language with its colours. */
export const configSupport = new LanguageSupport(configLanguage, syntaxHighlighting(COLOURS));
