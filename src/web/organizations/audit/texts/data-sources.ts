import { t } from '#shared/language/messages.ts';
import { quoted, type ActionText } from './details.ts';

/** The texts of what happens to data sources, and to their tables. */
export const dataSourceTexts = {
  'data_source.created': {
    label: t('Data source created'),
    did: (details) => t('created the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.changed': {
    label: t('Data source changed'),
    did: (details) => t('changed the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.deleted': {
    label: t('Data source moved to trash'),
    did: (details) => t('moved the data source {quoted} to the trash', { quoted: quoted(details) }),
  },
  'data_source.access_changed': {
    label: t('Data source shared'),
    did: (details) => t('changed who has access to the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.restored': {
    label: t('Data source restored'),
    did: (details) => t('restored the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.purged': {
    label: t('Data source deleted permanently'),
    did: (details) => t('permanently deleted the data source {quoted}', { quoted: quoted(details) }),
  },
  'table.uploaded': {
    label: t('Table uploaded'),
    did: (details) => t('uploaded the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'table.deleted': {
    label: t('Table moved to trash'),
    did: (details) => t('moved the table {quoted} to the trash', { quoted: quoted(details, 'table') }),
  },
  'table.restored': {
    label: t('Table restored'),
    did: (details) => t('restored the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'table.purged': {
    label: t('Table deleted permanently'),
    did: (details) => t('permanently deleted the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'model.saved': {
    label: t('Table described'),
    did: (details) => t('described the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'model.deleted': {
    label: t('Description of a table deleted'),
    did: (details) =>
      t('deleted the description of the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'data_source.transferred': {
    label: t('Data source transferred'),
    did: (details) => t('transferred ownership of the data source {quoted}', { quoted: quoted(details) }),
  },
} as const satisfies Readonly<Record<string, ActionText>>;
