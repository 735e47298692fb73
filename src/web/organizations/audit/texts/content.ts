import { t } from '#shared/language/messages.ts';
import { quoted, type ActionText } from './details.ts';

/** The texts of what happens to reports, dashboards and images. */
export const contentTexts = {
  'image.uploaded': {
    label: t('Image uploaded'),
    did: () => t('uploaded an image'),
  },
  'image.deleted': {
    label: t('Image deleted'),
    did: () => t('deleted an image'),
  },
  'report.deleted': {
    label: t('Report moved to trash'),
    did: (details) => t('moved the report {quoted} to the trash', { quoted: quoted(details) }),
  },
  'report.restored': {
    label: t('Report restored'),
    did: (details) => t('restored the report {quoted}', { quoted: quoted(details) }),
  },
  'report.purged': {
    label: t('Report deleted permanently'),
    did: (details) => t('permanently deleted the report {quoted}', { quoted: quoted(details) }),
  },
  'report.access_changed': {
    label: t('Report shared'),
    did: (details) => t('changed who has access to the report {quoted}', { quoted: quoted(details) }),
  },
  'report.transferred': {
    label: t('Report transferred'),
    did: (details) => t('transferred ownership of the report {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.deleted': {
    label: t('Dashboard moved to trash'),
    did: (details) => t('moved the dashboard {quoted} to the trash', { quoted: quoted(details) }),
  },
  'dashboard.restored': {
    label: t('Dashboard restored'),
    did: (details) => t('restored the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.purged': {
    label: t('Dashboard deleted permanently'),
    did: (details) => t('permanently deleted the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.access_changed': {
    label: t('Dashboard shared'),
    did: (details) => t('changed who has access to the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.transferred': {
    label: t('Dashboard transferred'),
    did: (details) => t('transferred ownership of the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.comment_deleted': {
    label: t('Comment deleted'),
    did: (details) =>
      t('deleted a comment of another person on the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.display_link_created': {
    label: t('Wall display link created'),
    did: (details) =>
      t('created a wall display link for the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.display_link_revoked': {
    label: t('Wall display link revoked'),
    did: (details) =>
      t('revoked a wall display link for the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboards.imported': { label: t('Dashboards imported'), did: () => t('imported dashboards') },
} as const satisfies Readonly<Record<string, ActionText>>;
