import { useMemo, type ReactNode } from 'react';
import { FormulaField as Field } from '../../../ui/formula/FormulaField.tsx';
import { useBuilder } from '../context.ts';

/** An editor of a formula of the query. */
export function FormulaField({
  pointer,
  ...props
}: {
  /** Where the formula is in the structure. */
  readonly pointer: string;
  readonly description: string;
  readonly formula: string;
  /** Whether it computes one value of many rows, with aggregates. */
  readonly hasAggregates?: boolean;
  readonly onChange: (formula: string) => void;
}): ReactNode {
  const { columns, faults } = useBuilder();
  const written = useMemo(
    () =>
      columns
        .filter(({ isHidden, formula: dimension }) => isHidden !== true && dimension === undefined)
        .map(({ reference: { table, name }, type }) => ({
          name: table === undefined ? name : `${table}.${name}`,
          type,
        })),
    [columns],
  );
  return <Field {...props} columns={written} fault={faults.find((one) => one.pointer === pointer)} />;
}
