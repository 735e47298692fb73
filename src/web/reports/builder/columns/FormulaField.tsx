import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

/** A field for a formula. */
export const FormulaField = ({
  description,
  formula,
  onChange,
}: {
  /** Where the formula is in the structure. */
  readonly pointer: string;
  readonly description: string;
  readonly formula: string;
  /** Whether it computes one value of many rows, with aggregates. */
  readonly hasAggregates?: boolean;
  readonly onChange: (formula: string) => void;
}): ReactNode => (
  <Textarea
    label="Formula"
    description={description}
    size="sm"
    autosize
    minRows={2}
    maxLength={5_000}
    value={formula}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
);
