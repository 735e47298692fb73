import { ActionIcon, Menu } from '@mantine/core';
import { IconChartBar, IconDots, IconDownload, IconExternalLink, IconTable } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { callForFile } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { fileNameOf, saveFile } from '../../ui/browser/save-file.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { Search } from '../../ui/browser/search.ts';
import { parameterValues } from '../filters/filters.ts';

/** The actions for a widget. */
export function WidgetMenu({
  line,
  title,
  values,
  isTable,
  onToggleTable,
}: {
  readonly line: WidgetResult;
  readonly title: string;
  readonly values: Search;
  readonly isTable: boolean;
  readonly onToggleTable: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const { reportId, parameters, visualization, result } = line;
  if (parameters === undefined) return null;
  const canToggleTable = result !== undefined && visualization?.kind !== 'table';
  const download = (csv: 'spreadsheet' | 'exact') =>
    void callForFile('POST /api/reports/{reportId}/run', 'text/csv', {
      params: { reportId },
      query: { csv },
      body: { parameters: parameterValues(parameters, values) },
    })
      .then((blob) => saveFile(blob, fileNameOf(title, 'csv')))
      .catch(notifyError);
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon
          className="no-print"
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Actions for ${title}`}
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
            {isTable ? 'Show as chart' : 'Show as table'}
          </MenuAction>
        )}
        <MenuAction icon={<IconDownload size={16} />} onClick={() => download('spreadsheet')}>
          Download as CSV
        </MenuAction>
        <MenuAction icon={<IconDownload size={16} />} onClick={() => download('exact')}>
          Download as CSV (exact)
        </MenuAction>
        <MenuAction
          icon={<IconExternalLink size={16} />}
          onClick={() => void navigate({ to: paths.report, params: { reportId } })}
        >
          Open report
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}
