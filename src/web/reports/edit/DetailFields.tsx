import { Select, Stack, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { More } from '../../visualizations/settings/More.tsx';
import type { ReportContent } from './content.ts';

const cacheDurations = [
  [0, t('Don’t cache')],
  [60, '1 minute'],
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [86_400, '1 day'],
] as const;

/** The description of a report, and how long its results are cached. */
export function DetailFields({
  content,
  change,
}: {
  readonly content: Pick<ReportContent, 'description' | 'cacheSeconds'>;
  readonly change: (part: { description?: string; cacheSeconds?: number }) => void;
}): ReactNode {
  const { description, cacheSeconds } = content;
  const choices = cacheDurations.map(([seconds, label]) => ({ value: String(seconds), label }));
  const isOther = !choices.some(({ value }) => value === String(cacheSeconds));
  return (
    <Stack gap="sm">
      <Textarea
        label={t('Description')}
        description={t('What the report shows, and how to read it')}
        size="xs"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        value={description ?? ''}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <More label={t('More settings')}>
        <Select
          label={t('Cache results for')}
          description={t('During this time, everyone gets the stored result immediately')}
          size="xs"
          allowDeselect={false}
          data={
            isOther
              ? [
                  ...choices,
                  { value: String(cacheSeconds), label: t('{cacheSeconds} seconds', { cacheSeconds }) },
                ]
              : choices
          }
          value={String(cacheSeconds)}
          onChange={(seconds) => seconds !== null && change({ cacheSeconds: Number(seconds) })}
        />
      </More>
    </Stack>
  );
}
