import { operatorLevels, type Formula, type FormulaOperator } from './syntax.ts';

/** Returns a formula as text in its usual form: `parseFormula` of it returns the same tree. */
export function printFormula(formula: Formula): string {
  switch (formula.kind) {
    case 'number':
      return formula.text.replace(/^\./, '0.').replace(/\.$/, '');
    case 'text':
      return `"${formula.text.replaceAll('"', '""')}"`;
    case 'constant':
      return formula.name;
    case 'column':
      return columnText(formula.name);
    case 'call':
      return `${formula.name}(${formula.arguments.map(printFormula).join(', ')})`;
    case 'prefix': {
      const { operator, operand } = formula;
      if (operator === '-') return `-${operandText(operand, operatorLevels.length)}`;
      return `not ${operandText(operand, 2)}`;
    }
    case 'operation': {
      const { operator, left, right } = formula;
      const level = levelOf(operator);
      // Comparisons can't be chained.
      return `${operandText(left, level === 2 ? 3 : level)} ${operator} ${operandText(right, level + 1)}`;
    }
  }
}

/** Returns how a formula refers to a column. */
export const columnText = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

const levelOf = (operator: FormulaOperator): number =>
  operatorLevels.findIndex((operators: readonly string[]) => operators.includes(operator));

function operandText(formula: Formula, level: number): string {
  const text = printFormula(formula);
  return strengthOf(formula) < level ? `(${text})` : text;
}

function strengthOf(formula: Formula): number {
  if (formula.kind === 'operation') return levelOf(formula.operator);
  if (formula.kind !== 'prefix') return operatorLevels.length + 1;
  return formula.operator === 'not' ? 2 : operatorLevels.length;
}
