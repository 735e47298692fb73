import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useId, useState, type ComponentType, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from './Builder.module.css';
import { useBuilder } from './context.ts';
import { Faults } from './Faults.tsx';
import { StepPreview } from './preview/StepPreview.tsx';
import type { Step } from './up-to.ts';

/** One step of the query: its items, what is wrong with it, and a preview of the rows up to it. */
export function StepCard({
  step,
  title,
  icon: Icon,
  actions,
  children,
}: {
  readonly step: Step;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number | string }>;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  const { faults } = useBuilder();
  const [isPreviewed, setIsPreviewed] = useState(false);
  const PreviewIcon = isPreviewed ? IconEyeOff : IconEye;
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={id} data-step={step}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Group gap={6} wrap="nowrap" className={classes.title}>
            <Icon size={16} aria-hidden />
            <Title order={2} fz="sm" id={id}>
              {title}
            </Title>
          </Group>
          <Group gap={4} wrap="nowrap">
            {actions}
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<PreviewIcon size={14} aria-hidden />}
              aria-expanded={isPreviewed}
              onClick={() => setIsPreviewed(!isPreviewed)}
              aria-label={
                isPreviewed ? t('Hide preview of {title}', { title }) : t('Preview {title}', { title })
              }
            >
              {isPreviewed ? t('Hide') : t('Preview')}
            </Button>
          </Group>
        </Group>
        {children}
        <Faults faults={faults.filter(({ pointer }) => pointer === pointerOf[step])} />
        {isPreviewed && <StepPreview step={step} title={title} />}
      </Stack>
    </Paper>
  );
}

/** Where the faults of a step as a whole point to. */
const pointerOf: Readonly<Record<Step, string>> = {
  table: '/table',
  joins: '/joins',
  columns: '/customColumns',
  filters: '/filters',
  shownColumns: '/columns',
  summarize: '/measures',
  resultFilters: '/resultFilters',
  sort: '/sort',
  limit: '/limit',
};
