import { Button, Stack } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ImagePicker } from './ImagePicker.tsx';

/** Offers the images of the organization to insert into a text. */
export function InsertImage({ onPick }: { readonly onPick: (id: string) => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoto size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('Insert an image')}
      </Button>
      <div id={id}>
        {isOpen && (
          <ImagePicker
            onPick={(image) => {
              setIsOpen(false);
              onPick(image);
            }}
          />
        )}
      </div>
    </Stack>
  );
}
