// Written by scripts/write-config-parser.ts from configuration.grammar. Do not edit.
export const
  MissingEnd = 1,
  MissingClose = 2,
  Text = 3,
  UnclosedText = 4,
  Name = 5,
  Word = 6,
  Number = 7,
  Url = 8,
  OptionKey = 9,
  EmptyOptionKey = 10,
  Comment = 11,
  Configuration = 12,
  Directive = 13,
  Option = 14,
  Block = 16,
  StrayClose = 19
