import { Alert, Button, Group, Kbd, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, type ReactNode, type Ref } from 'react';
import { t } from '#shared/language/messages.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { dataSourcesQuery, modelsQuery, tablesQuery } from '../../ui/server-data/data-source-queries.ts';
import { ParameterField } from '../parameters/ParameterField.tsx';
import { valueOf, type ParameterValues } from '../parameters/search.ts';
import type { ReportContent } from '../edit/content.ts';
import { reasonAgainstRunning } from '../reasons.ts';
import type { SqlEditorActions } from './SqlEditor.tsx';
import { useDialect } from './use-dialect.ts';
import type { Preview } from '../edit/sql/use-preview.ts';

const SqlEditor = lazy(async () => ({
  default: (await loadChunk('SqlEditor', () => import('./SqlEditor.tsx'))).SqlEditor,
}));

/** The query, its data source, and the values of its parameters. */
export function QueryPane({
  organizationId,
  content,
  change,
  values,
  setValues,
  preview,
  run,
  editor,
}: {
  readonly organizationId: string;
  readonly content: ReportContent;
  readonly change: (part: Partial<ReportContent>) => void;
  readonly values: ParameterValues;
  readonly setValues: (values: ParameterValues) => void;
  readonly preview: Preview;
  readonly run: () => void;
  readonly editor: Ref<SqlEditorActions>;
}): ReactNode {
  const { query, parameters, dataSourceId } = content;
  const sources = useQuery(dataSourcesQuery(organizationId));
  const { data: tables } = useQuery(tablesQuery(dataSourceId));
  const { data: models } = useQuery(modelsQuery(dataSourceId));
  const dialect = useDialect(dataSourceId);
  const names = useMemo(
    () => ({ tables: tables ?? [], models: models ?? [], parameters: parameters.map(({ name }) => name) }),
    [tables, models, parameters],
  );
  const undeclared = findUndeclared(findPlaceholders(query).placeholders, parameters);
  return (
    <Stack gap="sm" component="section" aria-label={t('Query')}>
      <Group gap="sm" align="flex-end" justify="space-between">
        <Select
          label={t('Data source')}
          size="sm"
          miw={0}
          flex="1 1 180px"
          maw={320}
          allowDeselect={false}
          data={sources.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={dataSourceId}
          onChange={(chosen) => chosen !== null && change({ dataSourceId: chosen })}
        />
        <Group gap="xs">
          {preview.isRunning ? (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              onClick={preview.cancel}
            >
              {t('Cancel')}
            </Button>
          ) : (
            <ActionButton
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              reason={reasonAgainstRunning(content)}
              onClick={run}
            >
              {t('Run')}
            </ActionButton>
          )}
          <Text size="xs" c="dimmed" visibleFrom="xs">
            <Kbd size="xs">{t('Ctrl')}</Kbd> <Kbd size="xs">{t('Enter')}</Kbd>
          </Text>
        </Group>
      </Group>
      <Suspense fallback={<Skeleton h={190} />}>
        <SqlEditor
          actions={editor}
          text={query}
          names={names}
          dialect={dialect}
          fault={preview.fault}
          onChange={(changed) => change({ query: changed })}
          onRun={run}
        />
      </Suspense>
      {undeclared.length > 0 && (
        <Alert variant="default" p="xs" role="status" title={t('Define these parameters')}>
          <Group gap="xs">
            {undeclared.map(({ name }) => (
              <Button
                key={name}
                size="compact-sm"
                variant="light"
                onClick={() => change({ parameters: [...parameters, { name, type: 'text' }] })}
              >
                {t('Add {name}', { name })}
              </Button>
            ))}
          </Group>
        </Alert>
      )}
      {parameters.length > 0 && (
        <SimpleGrid
          cols={{ base: 1, xs: 2, md: 3 }}
          spacing="sm"
          role="group"
          aria-label={t('Parameter values')}
        >
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              allowed={parameter.allowed?.values}
              value={valueOf(parameter, values)}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}
