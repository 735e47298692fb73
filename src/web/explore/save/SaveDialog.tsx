import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report, ReportInput } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { AddToDashboardDialog } from '../../reports/view/AddToDashboardDialog.tsx';
import { findFolderOfCopy } from '../../ui/folders/copies.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';

/** Saves what is explored as a report, and opens it or the choice of a dashboard. */
export function SaveDialog({
  title,
  suggestedName,
  exploredReportId,
  contentOf,
  next,
  close,
}: {
  readonly title: string;
  readonly suggestedName: string;
  /** The report whose result is explored, if it is one. */
  readonly exploredReportId: string | undefined;
  /** Returns the report without its name. Throws an error that says why there is none. */
  readonly contentOf: () => Omit<ReportInput, 'name'>;
  readonly next: 'open' | 'add';
  readonly close: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState(suggestedName);
  const [saved, setSaved] = useState<Report>();
  const save = useMutation({
    mutationFn: () => saveReport({ ...contentOf(), name }, exploredReportId),
    onSuccess: async ({ report, isInOwnFolder }) => {
      await client.invalidateQueries({ queryKey: ['reports'] });
      notifyDone(
        isInOwnFolder
          ? t('Saved “{name}” in your folder, since the explored report is restricted.', {
              name: report.name,
            })
          : t('Saved “{name}”.', { name: report.name }),
      );
      if (next === 'add') return setSaved(report);
      await navigate({ to: paths.report, params: { reportId: report.id } });
    },
  });
  if (saved !== undefined) return <AddToDashboardDialog report={saved} close={close} />;
  return (
    <Modal opened onClose={close} title={title}>
      <Form
        error={save.error}
        action={t('Save')}
        reason={name.trim() === '' ? t('Enter a name first.') : undefined}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
        onCancel={close}
      >
        <TextInput
          label={t('Name')}
          description={t(
            'The report contains the selected rows. Their ranges and values become its parameters.',
          )}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      </Form>
    </Modal>
  );
}

/** Creates a report, which contains the query of the explored one. */
async function saveReport(
  { organizationId, ...edit }: ReportInput,
  exploredReportId: string | undefined,
): Promise<{ report: Report; isInOwnFolder: boolean }> {
  const folderId =
    exploredReportId === undefined
      ? undefined
      : await findFolderOfCopy({ id: exploredReportId, organizationId });
  const report =
    folderId === undefined
      ? await call('POST /api/reports', { body: { organizationId, ...edit } })
      : await call('POST /api/folders/{folderId}/reports', { params: { folderId }, body: edit });
  return { report, isInOwnFolder: folderId !== undefined };
}
