import { Alert, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ImportPreview } from '#contract/data-sources/imports.ts';
import { counted } from '../../ui/text/nouns.ts';

const shownFaults = 20;

/** Lists the rows of a file that can't be imported as they are. */
export function ImportFaults({
  preview: { brokenRowCount, badValueCount, badRowCount, faults },
}: {
  readonly preview: ImportPreview;
}): ReactNode {
  const title = [
    ...(brokenRowCount > 0 ? [counted(brokenRowCount, 'broken row')] : []),
    ...(badValueCount > 0
      ? [`${counted(badValueCount, 'value')} of the wrong type in ${counted(badRowCount, 'row')}`]
      : []),
  ].join(', and ');
  return (
    <Alert color="orange" variant="default" title={title}>
      <List size="sm" mah={180} style={{ overflowY: 'auto' }} tabIndex={0} aria-label="Faults in the file">
        {faults.slice(0, shownFaults).map(({ line, column, value, message }, index) => (
          <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
            Line {line}
            {column !== undefined && `, ${column}`}: {value !== undefined && <code>{value}</code>} {message}
          </List.Item>
        ))}
      </List>
      {brokenRowCount + badValueCount > shownFaults && (
        <Text size="sm">The first {Math.min(shownFaults, faults.length)} are shown.</Text>
      )}
    </Alert>
  );
}
