import { IconStar, IconStarFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export const StarIcon = ({
  isStarred,
  size = 18,
}: {
  readonly isStarred: boolean;
  readonly size?: number;
}): ReactNode =>
  isStarred ? (
    <IconStarFilled
      size={size}
      color="light-dark(var(--mantine-color-yellow-9), var(--mantine-color-yellow-5))"
    />
  ) : (
    <IconStar size={size} />
  );
