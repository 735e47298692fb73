import { Button, Radio, SimpleGrid, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { changeKind } from '#charts/change-kind.ts';
import type { KindName } from '#charts/kind.ts';
import { byKind, type Editing, type SettingsProps } from '../kind.ts';
import { kindNames, kindOf } from '#charts/kinds.ts';
import { t } from '#shared/language/messages.ts';
import classes from './VisualizationSettings.module.css';
import { withOptional } from './without.ts';

const editing = byKind(import.meta.glob<Editing>('../*/editing.ts', { eager: true, import: 'default' }));

/** The chart type of a report and its settings. */
export function VisualizationSettings({
  suggestion,
  ...props
}: SettingsProps<Visualization> & { readonly suggestion: Visualization | undefined }): ReactNode {
  const { visualization, columns, onChange } = props;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('Chart type')}
        size="xs"
        value={visualization.kind}
        onChange={(chosen) => {
          const kind = kindNames.find((one) => one === chosen);
          const next = kind && changeKind(visualization, kind, columns);
          if (next !== undefined) onChange(next);
        }}
      >
        <SimpleGrid cols={5} spacing={4} mt={4}>
          {kindNames.map((kind) => (
            <KindCard
              key={kind}
              kind={kind}
              isDisabled={
                kind !== visualization.kind && changeKind(visualization, kind, columns) === undefined
              }
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {columns.length === 0 && (
        <Text size="xs" c="dimmed">
          {t('Run the query first. The chart types depend on the columns of its result.')}
        </Text>
      )}
      {suggestion !== undefined && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconSparkles size={14} aria-hidden />}
          onClick={() => onChange(suggestion)}
        >
          {t('Use suggestion: {name}', { name: kindOf(suggestion.kind).name })}
        </Button>
      )}
      <TextInput
        label={t('Title')}
        description={t('Leave empty to use the name of the report')}
        size="xs"
        maxLength={1000}
        value={visualization.title ?? ''}
        onChange={(event) =>
          onChange(withOptional(visualization, 'title', event.currentTarget.value || undefined))
        }
      />
      <KindSettings {...props} />
    </Stack>
  );
}

function KindCard({
  kind,
  isDisabled,
}: {
  readonly kind: KindName;
  readonly isDisabled: boolean;
}): ReactNode {
  const { name } = kindOf(kind);
  const Icon = editing.get(kind)?.Icon;
  return (
    <Tooltip label={isDisabled ? t('{name}: no suitable columns', { name }) : name}>
      <Radio.Card
        value={kind}
        aria-label={name}
        aria-disabled={isDisabled}
        data-off={isDisabled || undefined}
        className={classes.kind}
      >
        {Icon && <Icon size={20} aria-hidden />}
      </Radio.Card>
    </Tooltip>
  );
}

function KindSettings(props: SettingsProps<Visualization>): ReactNode {
  const Settings = editing.get(props.visualization.kind)?.Settings;
  return Settings && <Settings {...props} />;
}
