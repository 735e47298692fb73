import { aggregateFunctions } from './aggregates.ts';
import { dateFunctions } from './dates.ts';
import type { FunctionDefinition } from './definition.ts';
import { logicFunctions } from './logic.ts';
import { numberFunctions } from './numbers.ts';
import { textFunctions } from './text.ts';

/** All functions of formulas. */
export const formulaFunctions: readonly FunctionDefinition[] = [
  ...logicFunctions,
  ...numberFunctions,
  ...textFunctions,
  ...dateFunctions,
  ...aggregateFunctions,
];

const byName = new Map(formulaFunctions.map((definition) => [definition.name, definition]));

export const findFunction = (name: string): FunctionDefinition | undefined => byName.get(name);
