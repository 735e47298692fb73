import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources.ts';
import { Form } from '../ui/Form.tsx';
import { call } from '../app/api.ts';
import { dataSourceQuery } from '../ui/server-data/data-source-queries.ts';
import { faultAt } from '../ui/problems/field-faults.ts';
import { notifyDone } from '../ui/notify.ts';
import {
  connectionOf,
  connectionPointers,
  emptyConnection,
  losesPassword,
  typedFrom,
} from './connection/form.ts';
import { ConnectionFields } from './connection/ConnectionFields.tsx';
import { connectionTestQuery } from './connection/test-query.ts';

/** The name of a source, and how its server is reached. */
export function EditSourceDialog({
  source,
  close,
}: {
  readonly source: DataSource;
  readonly close: () => void;
}): ReactNode {
  const { id, kind, connection } = source;
  const client = useQueryClient();
  const [name, setName] = useState(source.name);
  const [typed, setTyped] = useState(connection === undefined ? emptyConnection : typedFrom(connection));
  const save = useMutation({
    mutationFn: () =>
      call('PUT /api/data-sources/{dataSourceId}', {
        params: { dataSourceId: id },
        body: { name, kind, ...(kind === 'postgresql' && { connection: connectionOf(typed) }) },
      }),
    onSuccess: async (saved) => {
      client.removeQueries({ queryKey: connectionTestQuery(id).queryKey });
      client.setQueryData(dataSourceQuery(id).queryKey, saved);
      await client.invalidateQueries({ queryKey: ['data-sources'] });
      notifyDone('Saved.');
      close();
    },
  });
  return (
    <Modal opened onClose={close} title="Edit the data source">
      <Form
        error={save.error}
        pointers={['/name', ...connectionPointers]}
        action="Save"
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
        onCancel={close}
      >
        <TextInput
          label="Name"
          required
          maxLength={200}
          data-autofocus
          error={faultAt(save.error, '/name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {connection !== undefined && (
          <ConnectionFields
            typed={typed}
            change={setTyped}
            error={save.error}
            passwordHint={passwordHint(connection.hasPassword, losesPassword(connection, typed))}
          />
        )}
      </Form>
    </Modal>
  );
}

function passwordHint(hasPassword: boolean, isLost: boolean): string {
  if (isLost)
    return 'Type it again: the stored one is not sent to another address, nor less safely than before';
  return hasPassword ? 'Leave empty to keep the stored one' : 'None is stored';
}
