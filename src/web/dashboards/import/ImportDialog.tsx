import { Button, FileButton, Group, List, Modal, ScrollArea, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ImportedDocument } from '#contract/records/documents.ts';
import { ImportError, type ChosenSource, type Conversion } from '#shared/importers/conversion.ts';
import type { ForeignFile } from '#shared/importers/detect.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { dataSourcesQuery } from '../../ui/server-data/data-source-queries.ts';
import { readForeign } from './read-foreign.ts';

/** Imports dashboards of Grafana and Metabase: asks for files and their data sources, and shows beforehand what happens and what is lost. */
export function ImportDialog({
  organizationId,
  folderId,
  onClose,
}: {
  readonly organizationId: string;
  /** The folder in which what is new is created. */
  readonly folderId: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const [file, setFile] = useState<ForeignFile>();
  const [fault, setFault] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: readForeign,
    onSuccess: (found) => {
      setFile(found);
      setFault(
        found === undefined
          ? t('This is neither a dashboard of Grafana nor an export of Metabase.')
          : undefined,
      );
    },
    onError: (error) => {
      setFile(undefined);
      setFault(error instanceof ImportError ? error.message : t('The file can’t be read.'));
    },
  });
  const choose = (chosen: File[]) => {
    if (chosen.length > 0) mutate(chosen);
  };
  return (
    <Modal opened onClose={onClose} title={t('Import dashboards')} size="lg">
      <Stack>
        <Text size="sm">
          {t(
            'Choose a dashboard of Grafana as a JSON file, or an export of Metabase: the .tar.gz file, or its folder. Nothing is stored until you confirm.',
          )}
        </Text>
        <Group>
          <FileButton accept=".json,.gz,.tgz,.yaml,.yml" multiple onChange={choose}>
            {(props) => (
              <Button variant="default" loading={isPending} {...props}>
                {t('Choose a file')}
              </Button>
            )}
          </FileButton>
          <FileButton multiple inputProps={folderInput} onChange={choose}>
            {(props) => (
              <Button variant="default" loading={isPending} {...props}>
                {t('Choose a folder')}
              </Button>
            )}
          </FileButton>
        </Group>
        {fault !== undefined && (
          <Text role="alert" c="red">
            {fault}
          </Text>
        )}
        {file !== undefined && (
          <ImportForm file={file} organizationId={organizationId} folderId={folderId} onClose={onClose} />
        )}
      </Stack>
    </Modal>
  );
}

/** React doesn't know the attribute, which all browsers have. */
const folderInput: object = { webkitdirectory: '' };

function ImportForm({
  file,
  organizationId,
  folderId,
  onClose,
}: {
  readonly file: ForeignFile;
  readonly organizationId: string;
  readonly folderId: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: known = [] } = useQuery(dataSourcesQuery(organizationId));
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const choices = new Map<string, ChosenSource>();
  for (const [name, id] of chosen) {
    const source = known.find((each) => each.id === id);
    if (source !== undefined) choices.set(name, { name: source.name, kind: source.kind });
  }
  const conversion = convertSafely(file, choices);
  const isComplete = 'documents' in conversion && conversion.sources.every(({ name }) => choices.has(name));
  const documents = 'documents' in conversion ? [...conversion.documents] : [];
  const send = (isDryRun: boolean) =>
    call('POST /api/organizations/{orgId}/dashboards/import', {
      params: { orgId: organizationId },
      query: { ...(folderId !== undefined && { folderId }), ...(isDryRun && { dryRun: 'true' }) },
      body: { documents },
    });
  const plan = useQuery({
    queryKey: ['dashboards', 'import', organizationId, folderId, file, [...chosen]],
    queryFn: () => send(true),
    enabled: isComplete,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const store = useMutation({
    mutationFn: () => send(false),
    onSuccess: async ({ items }) => {
      void client.invalidateQueries({ queryKey: ['dashboards'] });
      void client.invalidateQueries({ queryKey: ['reports'] });
      onClose();
      const dashboardId = items.at(-1)?.dashboardId;
      if (dashboardId !== undefined) await navigate({ to: paths.dashboard, params: { dashboardId } });
    },
  });
  if ('message' in conversion)
    return (
      <Text role="alert" c="red">
        {conversion.message}
      </Text>
    );
  return (
    <Form
      error={store.error ?? plan.error}
      action={t('Import')}
      reason={isComplete ? undefined : t('Choose a data source for each one in the file.')}
      isPending={store.isPending}
      onSubmit={() => store.mutate()}
      onCancel={onClose}
    >
      {conversion.sources.map(({ name, type, queryCount }) => (
        <Select
          key={name}
          label={t('Data source for “{name}”', { name: type === '' ? name : `${name} (${type})` })}
          description={t('{count, plural, one {# query uses it.} other {# queries use it.}}', {
            count: queryCount,
          })}
          data={known.map((source) => ({ value: source.id, label: source.name }))}
          value={chosen.get(name) ?? null}
          onChange={(id) => setChosen(id === null ? chosen : new Map([...chosen, [name, id]]))}
          allowDeselect={false}
        />
      ))}
      {plan.data !== undefined && isComplete && <Plan items={plan.data.items} />}
      <Losses conversion={conversion} />
    </Form>
  );
}

function convertSafely(
  file: ForeignFile,
  choices: ReadonlyMap<string, ChosenSource>,
): Conversion | { readonly message: string } {
  try {
    return file.convert(choices);
  } catch (error) {
    if (error instanceof ImportError) return { message: error.message };
    throw error;
  }
}

function Plan({ items }: { readonly items: readonly ImportedDocument[] }): ReactNode {
  const count = (action: ImportedDocument['action']) => items.filter((item) => item.action === action).length;
  return (
    <Text size="sm" role="status">
      {t('{created} will be created, {updated} updated, {restored} restored, {unchanged} stay unchanged.', {
        created: count('create'),
        updated: count('update'),
        restored: count('restore'),
        unchanged: count('unchanged'),
      })}
    </Text>
  );
}

function Losses({ conversion: { notes, noteCount } }: { readonly conversion: Conversion }): ReactNode {
  if (noteCount === 0) return <Text size="sm">{t('Nothing is lost.')}</Text>;
  return (
    <section aria-label={t('Lost or changed')}>
      <Text fw={600} size="sm">
        {t('{count, plural, one {# thing is lost or changed} other {# things are lost or changed}}', {
          count: noteCount,
        })}
      </Text>
      <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
        <List size="sm">
          {notes.map(({ where, what }) => (
            <List.Item key={`${where} ${what}`}>{where === '' ? what : `${where}: ${what}`}</List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </section>
  );
}
