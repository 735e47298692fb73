import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DashboardEditPage = (): ReactNode => <Page title="Edit">{null}</Page>;
