import type { WidgetResult } from '#contract/dashboards/results.ts';
import { t } from '#shared/language/messages.ts';

/** Returns the message for a result that is missing or failed. It is final if trying again wouldn't help. */
export function widgetProblemMessage(line: Pick<WidgetResult, 'problem' | 'reportName'> | undefined): {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isFinal: boolean;
} {
  const { problem, reportName } = line ?? {};
  if (problem === undefined) {
    return {
      title: t('No result received'),
      lines: [t('The connection was lost before this result arrived.')],
      isFinal: false,
    };
  }
  const { code, title, detail, errors = [] } = problem;
  if (code === 'report_deleted') {
    const lines = [
      t('Anyone who can edit the dashboard can restore the report from the trash, or remove this widget.'),
    ];
    return {
      title: t('The report “{reportName}” was deleted', { reportName: reportName ?? '' }),
      lines,
      isFinal: true,
    };
  }
  if (code === 'not_found') {
    const lines = [
      t('Its owner or an admin of the organization can share it with you. It may also no longer exist.'),
    ];
    return { title: t('You don’t have access to this report'), lines, isFinal: true };
  }
  if (code === 'not_shown') {
    const lines = [
      t('People who manage the dashboard can see why: in “Present”, under the link of this display.'),
    ];
    return { title: t('This can’t be shown here'), lines, isFinal: true };
  }
  const faults = errors.map(({ pointer, message }) => `${pointer.split('/').at(-1) ?? ''} ${message}`.trim());
  return {
    title,
    lines: faults.length > 0 ? faults : [detail],
    isFinal: code === 'invalid_parameters' || code === 'invalid_body' || code === 'filter_required',
  };
}
