import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../../app/api.ts';
import { ConfirmDialog } from '../../../../ui/actions/ConfirmDialog.tsx';
import { imagesQuery } from './image-queries.ts';

/** Deletes an image of the organization. */
export function DeleteImage({
  orgId,
  imageId,
  onDeleted,
}: {
  readonly orgId: string;
  readonly imageId: string;
  readonly onDeleted: () => void;
}): ReactNode {
  const [isAsking, asking] = useDisclosure();
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () =>
      call('DELETE /api/organizations/{orgId}/images/{imageId}', { params: { orgId, imageId } }),
    onSuccess: () => {
      asking.close();
      onDeleted();
      return client.invalidateQueries(imagesQuery(orgId));
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={asking.open}
      >
        {t('Delete this image')}
      </Button>
      <ConfirmDialog
        title={t('Delete this image?')}
        sentences={[
          t('All dashboards that show it then show its description.'),
          t('This can’t be undone, but you can upload the same file again.'),
        ]}
        action={t('Delete image')}
        opened={isAsking}
        onClose={asking.close}
        onConfirm={() => deletion.mutate()}
        isPending={deletion.isPending}
        error={deletion.error}
      />
    </>
  );
}
