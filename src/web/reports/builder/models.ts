import type { TableModel } from '#shared/models.ts';

export const noModels: readonly TableModel[] = [];
