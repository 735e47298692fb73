import { useQuery } from '@tanstack/react-query';
import { createContext, useEffect, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { isTransient } from '../../ui/server-data/query-client.ts';

/** Downloads an image by its ID. */
type ReadImage = (imageId: string) => Promise<Blob>;

/** Set on pages without a session: the browser can't download their images by itself, since their requests need a header. */
export const ImageReader = createContext<ReadImage | undefined>(undefined);

const longestWaitMs = 60_000;

/** Downloads an image, and renders it from its local address; undefined if there is no such image. */
export function DownloadedImage({
  id,
  read,
  children,
}: {
  readonly id: string;
  readonly read: ReadImage;
  readonly children: (address: string | undefined) => ReactNode;
}): ReactNode {
  const image = useQuery({
    queryKey: ['downloaded-image', id],
    queryFn: () => read(id),
    staleTime: Infinity,
    // Nobody is there to try again.
    retry: (_, error) => isTransient(error),
    retryDelay: (count) => Math.min(1_000 * 2 ** count, longestWaitMs),
  });
  const address = useLocalAddress(image.data);
  if (image.error !== null) return children(undefined);
  return address === undefined ? <span aria-busy="true" title={t('Loading')} /> : children(address);
}

function useLocalAddress(file: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (file === undefined) return undefined;
    const created = URL.createObjectURL(file);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return address;
}
