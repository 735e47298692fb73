import { IconStar, IconStarFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export const StarIcon = ({ isStarred }: { readonly isStarred: boolean }): ReactNode =>
  isStarred ? (
    <IconStarFilled
      size={18}
      color="light-dark(var(--mantine-color-yellow-9), var(--mantine-color-yellow-5))"
    />
  ) : (
    <IconStar size={18} />
  );
