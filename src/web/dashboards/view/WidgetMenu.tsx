import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconChartBar,
  IconDots,
  IconDownload,
  IconExternalLink,
  IconFileExport,
  IconFilter,
  IconTable,
} from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import { callForFile } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { fileNameOf, saveFile } from '../../ui/browser/save-file.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { filterText } from '#shared/dashboard-filters/filter-text.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { CommentItem } from '../comments/CommentItem.tsx';
import { t } from '#shared/language/messages.ts';
import { LazyExportDialog } from '../export/LazyExportDialog.tsx';
import { focusFilter } from '../filters/focus-filter.ts';
import { reportValues, type FilterContext } from '../filters/report-values.ts';

/** The actions for a widget. */
export function WidgetMenu({
  widget,
  line,
  title,
  filters,
  context,
  isTable,
  onToggleTable,
}: {
  readonly widget: Widget;
  readonly line: WidgetResult;
  readonly title: string;
  /** The filters of the dashboard that apply to the widget. */
  readonly filters: readonly DashboardFilter[];
  readonly context: FilterContext;
  readonly isTable: boolean;
  readonly onToggleTable: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const { dashboardId } = useParams({ from: paths.dashboard });
  const [isExporting, exporting] = useDisclosure();
  const { reportId, parameters, visualization, result } = line;
  if (parameters === undefined) return null;
  const canToggleTable = result !== undefined && visualization?.kind !== 'table';
  const download = (csv: 'spreadsheet' | 'exact') =>
    void callForFile('POST /api/reports/{reportId}/run', 'text/csv', {
      params: { reportId },
      query: { csv },
      body: { parameters: reportValues(widget, line, context) },
    })
      .then((blob) => saveFile(blob, fileNameOf(title, 'csv')))
      .catch(notifyError);
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <ActionIcon
            className="no-print"
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('Actions for {title}', { title })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canToggleTable && (
            <MenuAction
              icon={isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
              onClick={onToggleTable}
            >
              {isTable ? t('Show as chart') : t('Show as table')}
            </MenuAction>
          )}
          <MenuAction icon={<IconDownload size={16} />} onClick={() => download('spreadsheet')}>
            {t('Download as CSV')}
          </MenuAction>
          <MenuAction icon={<IconDownload size={16} />} onClick={() => download('exact')}>
            {t('Download as CSV (exact)')}
          </MenuAction>
          <MenuAction icon={<IconFileExport size={16} />} onClick={exporting.open}>
            {t('Export')}
          </MenuAction>
          <MenuAction
            icon={<IconExternalLink size={16} />}
            onClick={() => void navigate({ to: paths.report, params: { reportId } })}
          >
            {t('Open report')}
          </MenuAction>
          <CommentItem target={{ widgetId: widget.id, title }} />
          {filters.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Label>{t('Filters of this widget')}</Menu.Label>
              {filters.map((filter) => (
                <MenuAction
                  key={filter.name}
                  icon={<IconFilter size={16} />}
                  onClick={() => focusFilter(filter.name)}
                >
                  {`${labelOf(filter)}: ${filterText(filter, context.values)}`}
                </MenuAction>
              ))}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog
        exported={{ dashboardId, widgetId: widget.id, title }}
        filters={context.values}
        opened={isExporting}
        onClose={exporting.close}
      />
    </>
  );
}
