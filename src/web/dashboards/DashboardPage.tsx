import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const DashboardPage = (): ReactNode => <Page title="Dashboard">{null}</Page>;
