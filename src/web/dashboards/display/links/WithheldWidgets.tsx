import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dashboard, Widget } from '#contract/dashboards/dashboards.ts';
import type { DisplayLink } from '#contract/dashboards/display.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import { useReportNames } from '../../results/use-report-names.ts';

type Withheld = DisplayLink['withheld'][number];

/** Lists the widgets that a display with a link doesn't show, with the reason of each and what to do. */
export function WithheldWidgets({
  withheld,
  dashboard: { widgets, organizationId },
}: {
  readonly withheld: readonly Withheld[];
  readonly dashboard: Pick<Dashboard, 'widgets' | 'organizationId'>;
}): ReactNode {
  const nameOfReport = useReportNames(organizationId);
  // Someone may have changed the dashboard since it was opened.
  const titleOf = (widget: Widget | undefined) =>
    widget === undefined ? t('A widget') : (ownTitleOf(widget) ?? nameOfReport(widget.reportId));
  return (
    <>
      <Text size="sm" mt={4}>
        {t('{count, plural, one {# widget isn’t shown:} other {# widgets aren’t shown:}}', {
          count: withheld.length,
        })}
      </Text>
      <List size="sm">
        {withheld.map(({ widgetId, reason }) => (
          <List.Item key={widgetId}>
            {reasonInWords(titleOf(widgets.find(({ id }) => id === widgetId)), reason)}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function reasonInWords(title: string, reason: Withheld['reason']): string {
  return reason === 'maker'
    ? t(
        '{title}: the person who created the link can’t see its report. Someone who can has to create a new link.',
        { title },
      )
    : t(
        '{title}: a person who last changed the widget, or the filters it uses, can’t see its report. Someone who can has to change them and save.',
        { title },
      );
}
