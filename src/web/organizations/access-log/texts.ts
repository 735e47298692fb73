import type { AccessEntry } from '#contract/organizations/access-log.ts';
import { accessActions, type AccessAction } from '#shared/access-actions.ts';
import { t } from '#shared/language/messages.ts';

/** The label of an action in the filter, and the text of its entries, which continues after the person. */
const texts: Readonly<
  Record<AccessAction, { readonly label: string; readonly did: (subject: string, format: string) => string }>
> = {
  'dashboard.viewed': {
    label: t('Dashboard viewed'),
    did: (subject) => t('viewed the dashboard {subject}', { subject }),
  },
  'dashboard.exported': {
    label: t('Dashboard exported'),
    did: (subject, format) => t('exported the dashboard {subject} as {format}', { subject, format }),
  },
  'dashboards.exported': {
    label: t('Dashboards exported as code'),
    did: () => t('exported dashboards as code'),
  },
  'report.run': {
    label: t('Report run'),
    did: (subject) => t('ran the report {subject}', { subject }),
  },
  'report.exported': {
    label: t('Report exported'),
    did: (subject, format) => t('exported the report {subject} as {format}', { subject, format }),
  },
  'data_source.queried': {
    label: t('Data source queried'),
    did: (subject) => t('queried the data source {subject}', { subject }),
  },
  'display.viewed': {
    label: t('Dashboard shown on a display'),
    did: (subject) => t('showed the dashboard {subject}', { subject }),
  },
  'audit_log.exported': {
    label: t('Audit log exported'),
    did: () => t('exported the audit log'),
  },
  'organization.exported': {
    label: t('All data exported'),
    did: () => t('exported all data of the organization'),
  },
};

const formats: Readonly<Record<string, string>> = {
  'spreadsheet-csv': 'CSV',
  csv: 'CSV',
  parquet: 'Parquet',
  pdf: 'PDF',
  png: 'PNG',
  svg: 'SVG',
  xlsx: 'XLSX',
};

/** Returns what an entry says in words; the action itself if this version of the page doesn't know it. */
export function accessText({
  action,
  subjectId = '',
  subjectName,
  details,
}: Pick<AccessEntry, 'action' | 'subjectId' | 'subjectName' | 'details'>): string {
  if (!Object.hasOwn(texts, action)) return action;
  const subject = subjectName === undefined ? subjectId : t('“{name}”', { name: subjectName });
  return texts[action].did(subject, formats[String(details['format'])] ?? '');
}

/** The actions of the filter, with their labels. */
export const accessChoices = accessActions.map((value) => ({ value, label: texts[value].label }));
