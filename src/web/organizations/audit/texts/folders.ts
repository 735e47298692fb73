import { t } from '#shared/language/messages.ts';
import { at, quoted, type ActionText } from './details.ts';

/** The texts of what happens to folders, and to what is in them. */
export const folderTexts = {
  'dashboard.moved': {
    label: t('Dashboard moved'),
    did: (details) =>
      at(details, 'folderName') === ''
        ? t('moved the dashboard {quoted} out of its folder', { quoted: quoted(details) })
        : t('moved the dashboard {quoted} to the folder {folder}', {
            quoted: quoted(details),
            folder: quoted(details, 'folderName'),
          }),
  },
  'report.moved': {
    label: t('Report moved'),
    did: (details) =>
      at(details, 'folderName') === ''
        ? t('moved the report {quoted} out of its folder', { quoted: quoted(details) })
        : t('moved the report {quoted} to the folder {folder}', {
            quoted: quoted(details),
            folder: quoted(details, 'folderName'),
          }),
  },
  'folder.created': {
    label: t('Folder created'),
    did: (details) => t('created the folder {quoted}', { quoted: quoted(details) }),
  },
  'folder.renamed': {
    label: t('Folder renamed'),
    did: (details) =>
      t('renamed the folder {before} to {after}', {
        before: quoted(details, 'before'),
        after: quoted(details, 'after'),
      }),
  },
  'folder.moved': {
    label: t('Folder moved'),
    did: (details) =>
      at(details, 'parentName') === ''
        ? t('moved the folder {quoted} out of its folder', { quoted: quoted(details) })
        : t('moved the folder {quoted} to the folder {folder}', {
            quoted: quoted(details),
            folder: quoted(details, 'parentName'),
          }),
  },
  'folder.access_changed': {
    label: t('Folder access changed'),
    did: (details) => t('changed who has access to the folder {quoted}', { quoted: quoted(details) }),
  },
  'folder.deleted': {
    label: t('Folder moved to trash'),
    did: (details) =>
      t('moved the folder {quoted} to the trash, with everything in it', { quoted: quoted(details) }),
  },
  'folder.restored': {
    label: t('Folder restored'),
    did: (details) => t('restored the folder {quoted}', { quoted: quoted(details) }),
  },
  'folder.purged': {
    label: t('Folder deleted permanently'),
    did: (details) => t('permanently deleted the folder {quoted}', { quoted: quoted(details) }),
  },
  'folder.transferred': {
    label: t('Folder transferred'),
    did: (details) => t('transferred ownership of the folder {quoted}', { quoted: quoted(details) }),
  },
} as const satisfies Readonly<Record<string, ActionText>>;
