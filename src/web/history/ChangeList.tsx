import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ContentChange } from '#contract/records/history.ts';
import { t } from '#shared/language/messages.ts';
import { visibleText } from '../ui/text/visible-text.ts';

/** Changes, each in words. */
export const ChangeList = ({
  changes,
  summaryOf,
}: {
  readonly changes: readonly ContentChange[];
  readonly summaryOf: (change: ContentChange) => string;
}): ReactNode => (
  <List
    size="sm"
    style={{ overflowWrap: 'anywhere' }}
    styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
  >
    {changes.map((change) => (
      <List.Item key={change.pointer + change.kind}>
        {summaryOf(change)}
        {change.pointer === '/query' && <QueryTexts change={change} />}
      </List.Item>
    ))}
  </List>
);

/** The query before and after, because SQL is best compared by reading both. */
const QueryTexts = ({ change: { before, after } }: { readonly change: ContentChange }): ReactNode => (
  <Stack gap={4} mt={4}>
    {[
      { label: t('Before'), text: before },
      { label: t('After'), text: after },
    ].map(
      ({ label, text }) =>
        typeof text === 'string' && (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {visibleText(text)}
            </Code>
          </div>
        ),
    )}
  </Stack>
);
