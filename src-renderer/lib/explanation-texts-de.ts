import { CONFIG_EXPLANATIONS_DE } from './config-explanation-texts-de.ts';
import { FILE_EXPLANATIONS_DE } from './file-explanation-texts-de.ts';
import { INPUT_EXPLANATIONS_DE } from './input-explanation-texts-de.ts';
import { VALUE_EXPLANATIONS_DE } from './value-explanation-texts-de.ts';

/** German sentences of explanations, by code. */
export const EXPLANATIONS_DE = {
  ...CONFIG_EXPLANATIONS_DE,
  ...FILE_EXPLANATIONS_DE,
  ...INPUT_EXPLANATIONS_DE,
  ...VALUE_EXPLANATIONS_DE,
};
