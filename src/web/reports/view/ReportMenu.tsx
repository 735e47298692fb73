import { ActionIcon, Menu } from '@mantine/core';
import {
  IconChartHistogram,
  IconDots,
  IconFileTypeCsv,
  IconHistory,
  IconLayoutDashboard,
  IconTableExport,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { callForFile } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import { fileNameOf, saveFile } from '../../ui/browser/save-file.ts';
import { AddToDashboardDialog } from './AddToDashboardDialog.tsx';
import { DeleteReportDialog } from '../list/DeleteReportDialog.tsx';
import type { ParameterValues } from '../parameters/search.ts';

/** In the order of the menu: the CSV file that is safe to open in a spreadsheet comes first. */
const formats = {
  csv: { mediaType: 'text/csv', query: { csv: 'spreadsheet' }, extension: 'csv' },
  exactCsv: { mediaType: 'text/csv', query: { csv: 'exact' }, extension: 'csv' },
  parquet: { mediaType: 'application/vnd.apache.parquet', query: {}, extension: 'parquet' },
} as const;

/** The other actions for a report. */
export function ReportMenu({
  report,
  values,
  reason,
}: {
  readonly report: Report;
  readonly values: ParameterValues;
  /** Why the report can't be edited. */
  readonly reason: string | undefined;
}): ReactNode {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'add' | 'delete'>();
  const download = useMutation({
    mutationFn: async (format: keyof typeof formats) => {
      notifyDone(t('Preparing the file. The download starts when it’s ready.'));
      const { mediaType, query, extension } = formats[format];
      const file = await callForFile('POST /api/reports/{reportId}/run', mediaType, {
        params: { reportId: report.id },
        query,
        body: { parameters: values },
      });
      saveFile(file, fileNameOf(report.name, extension));
    },
    onError: notifyError,
  });
  return (
    <>
      <Menu position="bottom-end" width={320}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('More')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction
            icon={<IconChartHistogram size={16} />}
            onClick={() =>
              void navigate({
                to: paths.exploreReport,
                params: { reportId: report.id },
                search: Object.keys(values).length === 0 ? {} : { parameters: JSON.stringify(values) },
              })
            }
          >
            {t('Explore')}
          </MenuAction>
          <MenuAction icon={<IconLayoutDashboard size={16} />} onClick={() => setDialog('add')}>
            {t('Add to a dashboard')}
          </MenuAction>
          <MenuAction icon={<IconFileTypeCsv size={16} />} onClick={() => download.mutate('csv')}>
            {t('Download all rows as CSV')}
          </MenuAction>
          <MenuAction icon={<IconFileTypeCsv size={16} />} onClick={() => download.mutate('exactCsv')}>
            {t('Download all rows as CSV (exact)')}
          </MenuAction>
          <MenuAction icon={<IconTableExport size={16} />} onClick={() => download.mutate('parquet')}>
            {t('Download all rows as Parquet')}
          </MenuAction>
          <Menu.Divider />
          <MenuAction
            icon={<IconHistory size={16} />}
            reason={reason}
            onClick={() => void navigate({ to: paths.reportHistory, params: { reportId: report.id } })}
          >
            {t('History')}
          </MenuAction>
          <MenuAction
            icon={<IconTrash size={16} />}
            color="red"
            reason={reason}
            onClick={() => setDialog('delete')}
          >
            {t('Delete')}
          </MenuAction>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'add' && <AddToDashboardDialog report={report} close={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteReportDialog report={report} close={() => setDialog(undefined)} />}
    </>
  );
}
