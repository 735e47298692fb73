import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { valueOfReference, type ReferenceContext } from '#charts/content/reference-values.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { referencesIn } from '#shared/content-widgets/references-in.ts';
import { t } from '#shared/language/messages.ts';

const maxShown = 3;

/** Lists the references of a content that have no value, for the people who can correct them. Readers see a dash. */
export function ReferenceFaults({
  content,
  context,
}: {
  readonly content: Content | undefined;
  readonly context: ReferenceContext;
}): ReactNode {
  const messages = new Set(
    referencesIn(content).flatMap((reference) => {
      const value = valueOfReference(reference, context);
      return value.kind === 'fault' ? [`{{${reference.source}}}: ${value.message}`] : [];
    }),
  );
  if (messages.size === 0) return null;
  const more = messages.size - maxShown;
  return (
    <div role="group" aria-label={t('Values that are missing')}>
      <Text size="sm" c="var(--mantine-color-error)">
        {t('Shown as “–”, because there is no value:')}
      </Text>
      <List size="sm" c="var(--mantine-color-error)">
        {[...messages].slice(0, maxShown).map((message) => (
          <List.Item key={message}>{message}</List.Item>
        ))}
        {more > 0 && <List.Item>{t('and {more} more', { more })}</List.Item>}
      </List>
    </div>
  );
}
