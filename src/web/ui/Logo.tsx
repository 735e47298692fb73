import { useState, type ReactNode } from 'react';
import { addressOf } from '../app/api.ts';

/** The logo of an organization, whose name is beside it. Without one, or if it was removed meanwhile, something else. */
export function Logo({
  logoId,
  height,
  children,
}: {
  readonly logoId: string | undefined;
  /** In pixels. It is at most three times as wide. */
  readonly height: number;
  /** What is shown without a logo. */
  readonly children?: ReactNode;
}): ReactNode {
  const [missing, setMissing] = useState<string>();
  if (logoId === undefined || logoId === missing) return children;
  return (
    <img
      className="logo"
      src={addressOf('GET /api/logos/{logoId}', { params: { logoId } })}
      alt=""
      style={{ height, maxWidth: 3 * height }}
      draggable={false}
      onError={() => setMissing(logoId)}
    />
  );
}
