import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconFolderOpen, IconFolderSymlink, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ReportSummary } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { LazyFolderDialog } from '../../folders/LazyFolderDialog.tsx';
import { useEditReason } from '../../sharing/use-edit-reason.ts';
import { noFolder } from '../../ui/folders/tree.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';

/** The actions for a report in a list. */
export function ReportRowMenu({ report }: { readonly report: ReportSummary }): ReactNode {
  const { id, name, organizationId, folderId } = report;
  const [isOpen, setIsOpen] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const navigate = useNavigate();
  const reason = useEditReason({ kind: 'report', id }, isOpen);
  const go = (to: typeof paths.report | typeof paths.reportEdit) =>
    void navigate({ to, params: { reportId: id } });
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction icon={<IconFolderOpen size={16} />} onClick={() => go(paths.report)}>
            {t('Open')}
          </MenuAction>
          <MenuAction icon={<IconPencil size={16} />} reason={reason} onClick={() => go(paths.reportEdit)}>
            {t('Edit')}
          </MenuAction>
          <MenuAction
            icon={<IconFolderSymlink size={16} />}
            reason={reason}
            onClick={() => setIsMoving(true)}
          >
            {t('Move…')}
          </MenuAction>
        </Menu.Dropdown>
      </Menu>
      <LazyFolderDialog
        orgId={organizationId}
        dialog={
          isMoving
            ? { action: 'move items', items: [{ kind: 'report', id, name }], from: folderId ?? noFolder }
            : undefined
        }
        close={() => setIsMoving(false)}
      />
    </>
  );
}
