import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

/** A field for a formula. */
export const FormulaField = ({
  label,
  description,
  formula,
  onChange,
}: {
  readonly label: string;
  readonly description?: string;
  readonly formula: string;
  /** Whether it computes one value of many rows. */
  readonly hasMeasures?: boolean;
  readonly onChange: (formula: string) => void;
}): ReactNode => (
  <Textarea
    label={label}
    description={description}
    size="sm"
    autosize
    minRows={2}
    maxLength={10_000}
    value={formula}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
);
