import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Builder.module.css';
import type { StructureFault } from '#shared/query-builder/generate.ts';

/** What is missing or wrong, one sentence per line. */
export const Faults = ({ faults }: { readonly faults: readonly StructureFault[] }): ReactNode => (
  <div role="status" className={classes.faults}>
    {[...new Set(faults.map(({ message }) => message))].map((message) => (
      <Text key={message} size="xs" c="var(--mantine-color-error)">
        {message}
      </Text>
    ))}
  </div>
);
