import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { callForFile } from '../../../app/api.ts';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { notifyDone, notifyError } from '../../../ui/notifications/notify.ts';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

/** Downloads what is stored about you, and deletes your account. */
export function YourData({ email }: { readonly email: string }): ReactNode {
  const [isDeleting, setIsDeleting] = useState(false);
  const download = useMutation({
    mutationFn: () => callForFile('GET /api/auth/account/export', 'application/zip'),
    onSuccess: (file) => {
      saveFile(file, 'atrium-account.zip');
      notifyDone(t('Your data was downloaded.'));
    },
    onError: notifyError,
  });
  return (
    <Stack>
      <Group>
        <ActionButton variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {t('Download my data')}
        </ActionButton>
        <ActionButton variant="default" onClick={() => setIsDeleting(true)}>
          {t('Delete account…')}
        </ActionButton>
      </Group>
      {isDeleting && <DeleteAccountDialog email={email} onClose={() => setIsDeleting(false)} />}
    </Stack>
  );
}
