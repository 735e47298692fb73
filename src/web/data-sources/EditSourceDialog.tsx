import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { Form } from '../ui/forms/Form.tsx';
import { call } from '../app/api.ts';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';
import { faultAt } from '../ui/problems/field-faults.ts';
import { notifyDone } from '../ui/notifications/notify.ts';
import { connectionTestQuery } from './connection-test.ts';
import { inputOf, sourceKinds } from './kinds/registry.ts';

/** Edits the name and the connection of a source. */
export function EditSourceDialog({
  source,
  close,
}: {
  readonly source: DataSource;
  readonly close: () => void;
}): ReactNode {
  const { id, kind } = source;
  const { connection } = sourceKinds[kind];
  const client = useQueryClient();
  const [name, setName] = useState(source.name);
  const [typed, setTyped] = useState(() => connection?.typedFrom(source) ?? {});
  const save = useMutation({
    mutationFn: () =>
      call('PUT /api/data-sources/{dataSourceId}', {
        params: { dataSourceId: id },
        body: { name, ...inputOf(kind, typed) },
      }),
    onSuccess: async (saved) => {
      client.removeQueries({ queryKey: connectionTestQuery(id).queryKey });
      client.setQueryData(dataSourceQuery(id).queryKey, saved);
      await client.invalidateQueries({ queryKey: ['data-sources'] });
      notifyDone(t('Saved.'));
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={t('Edit data source')}>
      <Form
        error={save.error}
        pointers={['/name', ...(connection?.pointers ?? [])]}
        action={t('Save')}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
        onCancel={close}
      >
        <TextInput
          label={t('Name')}
          required
          maxLength={200}
          data-autofocus
          error={faultAt(save.error, '/name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {connection !== undefined && (
          <connection.Fields source={source} typed={typed} change={setTyped} error={save.error} />
        )}
      </Form>
    </Modal>
  );
}
