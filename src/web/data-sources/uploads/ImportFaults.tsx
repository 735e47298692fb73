import { Alert, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ImportPreview } from '#contract/data-sources/imports.ts';
import { t, translationOf } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';

const shownFaults = 20;

/** Lists the rows of a file that can't be imported as they are. */
export function ImportFaults({
  preview: { brokenRowCount, badValueCount, badRowCount, faults },
}: {
  readonly preview: ImportPreview;
}): ReactNode {
  const title = listFormat().format([
    ...(brokenRowCount > 0
      ? [t('{count, plural, one {# broken row} other {# broken rows}}', { count: brokenRowCount })]
      : []),
    ...(badValueCount > 0
      ? [
          t(
            '{badValueCount, plural, one {# value} other {# values}} of the wrong type in {badRowCount, plural, one {# row} other {# rows}}',
            { badValueCount, badRowCount },
          ),
        ]
      : []),
  ]);
  return (
    <Alert color="orange" variant="default" title={title}>
      <List
        size="sm"
        mah={180}
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        aria-label={t('Faults in the file')}
      >
        {faults.slice(0, shownFaults).map(({ line, column, value, message }, index) => (
          <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
            {column === undefined
              ? t('Line {line}:', { line: String(line) })
              : t('Line {line}, {column}:', { line: String(line), column })}{' '}
            {value !== undefined && <code>{value}</code>} {translationOf(message)}
          </List.Item>
        ))}
      </List>
      {brokenRowCount + badValueCount > shownFaults && (
        <Text size="sm">
          {t('The first {count} are shown.', { count: Math.min(shownFaults, faults.length) })}
        </Text>
      )}
    </Alert>
  );
}
