import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../app/api.ts';

/** The images of an organization, the newest first. */
export const imagesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['images', orgId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/organizations/{orgId}/images', { params: { orgId }, signal })).items,
  });
